package io.onceward.server.engine.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.files.FileInUseException;
import io.onceward.files.ProcessLock;
import io.onceward.server.engine.EngineSettings;
import io.onceward.wire.Member;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailureTest {
  @TempDir Path root;

  @Test
  void aMachineThatThrowsStopsItsNodeOnceAndForAll() throws Exception {
    try (TestCluster cluster = TestCluster.patient(root, 3)) {
      cluster.apply("a");
      TestCluster.Node broken = cluster.followers().get(0);
      broken.machine.beforeApply =
          entry -> {
            if (entry.equals("poison")) {
              throw new IllegalStateException("cannot stand it");
            }
          };
      cluster.apply("poison");
      cluster.applyAll("b", 5);
      TestCluster.await("its end", () -> !broken.machine.failures.isEmpty());
      long position = cluster.leader().machine.applied().get(1).position();
      cluster.stop(broken);
      assertThat(broken.machine.failures)
          .singleElement()
          .satisfies(
              failed ->
                  assertThat(failed.what())
                      .isEqualTo(
                          "applying the entry at position "
                              + position
                              + " failed: cannot stand it"));
      assertThat(broken.machine.entries()).containsExactly("a");
      assertThat(broken.machine.appliedAfterFailure()).isZero();
      cluster.apply("c");
    }
  }

  @Test
  void anErrorOnTheLeaderStopsItAndItsEntriesAreToldOnce() throws Exception {
    try (TestCluster cluster = TestCluster.patient(root, 3)) {
      cluster.apply("a");
      TestCluster.Node broken = cluster.leader();
      Recorder machine = broken.machine;
      machine.beforeApply =
          entry -> {
            throw new StackOverflowError("too deep");
          };
      broken.submit("b", "b");
      broken.submit("c", "c");
      TestCluster.await("its end", () -> !machine.failures.isEmpty());
      assertThat(machine.failures.get(0).what()).contains("too deep");
      assertThat(machine.fates.get("c")).hasSize(1).allMatch(fate -> fate.startsWith("lost"));
      assertThat(machine.fates.getOrDefault("b", List.of())).hasSizeLessThan(2);
      broken.submit("d", "d");
      TestCluster.await("a fate", () -> machine.fates.containsKey("d"));
      cluster.stop(broken);
      cluster.apply("e");
      assertThat(machine.failures).hasSize(1);
      assertThat(machine.applied()).hasSize(1);
    }
  }

  @Test
  void aFullDiskStopsTheNodeAndLosesNothingThatWasApplied() throws Exception {
    Path disk = Files.createDirectory(root.resolve("disk"));
    Assumptions.assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", disk.toString()),
        "a small file system needs root");
    try (TestCluster cluster =
        TestCluster.of(disk, 1, settings -> settings.withSizes(1 << 16, 1 << 18))) {
      TestCluster.Node node = cluster.leader();
      String entry = "x".repeat(20_000);
      int applied = 0;
      while (node.machine.failures.isEmpty()) {
        int handle = applied;
        node.submit(entry, handle);
        TestCluster.await(
            "a fate",
            () -> node.machine.fates.containsKey(handle) || !node.machine.failures.isEmpty());
        applied++;
      }
      assertThat(node.machine.failures)
          .singleElement()
          .satisfies(
              failed ->
                  assertThat(failed.what())
                      .contains("could not be written")
                      .contains(node.folder.toString())
                      .contains("No space left on device"));
      List<Recorder.Applied> before = node.machine.applied();
      cluster.stop(node);
      assertThat(run("mount", "-o", "remount,size=20m", disk.toString())).isTrue();
      cluster.start(node);
      cluster.apply("then");
      assertThat(node.machine.applied()).startsWith(before.toArray(Recorder.Applied[]::new));
    } finally {
      run("umount", "-l", disk.toString());
    }
  }

  /** Ratis would stay a candidate for ever, and say so in its own log only. */
  @Test
  void aNodeThatCannotWriteDownItsVoteStops() throws Exception {
    Path disk = Files.createDirectory(root.resolve("disk"));
    Assumptions.assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", disk.toString()),
        "a small file system needs root");
    try (TestCluster cluster =
        TestCluster.of(disk, 1, settings -> settings.withSizes(1 << 16, 1 << 18))) {
      TestCluster.Node node = cluster.leader();
      cluster.apply("a");
      cluster.stop(node);
      assertThat(run("dd", "if=/dev/zero", "of=" + disk.resolve("filler"), "bs=4k")).isFalse();
      cluster.start(node);
      TestCluster.await("its end", () -> !node.machine.failures.isEmpty());
      assertThat(node.machine.failures.get(0).what())
          .isEqualTo("an election could not be held: can files be written to " + node.folder + "?");
    } finally {
      run("umount", "-l", disk.toString());
    }
  }

  @Test
  void aLogThatClosesItselfStopsTheNode() throws Exception {
    try (TestCluster cluster =
        TestCluster.of(root, 1, settings -> settings.withSizes(1 << 16, 1 << 12))) {
      TestCluster.Node node = cluster.leader();
      cluster.apply("a");
      Path logs = node.folder.resolve(Peers.GROUP.getUuid() + "/current");
      for (int i = 1; i < 2000; i++) {
        if (i > node.engine.status().committed()) {
          Files.createFile(logs.resolve("log_inprogress_" + i));
        }
      }
      for (int i = 0; i < 100 && node.machine.failures.isEmpty(); i++) {
        node.submit("x".repeat(500), i);
      }
      TestCluster.await("its end", () -> !node.machine.failures.isEmpty());
      assertThat(node.machine.failures.get(0).what()).contains("n1");
      TestCluster.await("all fates", () -> node.machine.fates.size() >= 100);
    }
  }

  @Test
  void aPortThatIsTakenIsNamed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Member self = new Member("n1", "127.0.0.1", 1, taken.getLocalPort());
      assertThatThrownBy(
              () ->
                  RatisEngine.start(
                      EngineSettings.of(root, self, List.of(self)), new Recorder(), engine -> {}))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(
              "cannot listen for other members at 127.0.0.1:" + taken.getLocalPort());
    }
  }

  /** Whoever starts a node in its place does not wait for what it still applies. */
  @Test
  void closedNodeFreesItsPortAtOnce() throws Exception {
    CountDownLatch applying = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (TestCluster cluster = TestCluster.of(root, 1)) {
      TestCluster.Node node = cluster.leader();
      node.machine.beforeApply =
          entry -> {
            applying.countDown();
            awaitQuietly(goOn);
          };
      node.submit("slow", "handle");
      assertThat(applying.await(1, TimeUnit.MINUTES)).isTrue();
      Thread closing = new Thread(() -> cluster.stop(node));
      closing.start();
      try (ServerSocket port = new ServerSocket()) {
        port.setReuseAddress(true);
        TestCluster.await("the port", () -> bound(port, node.member.peerPort()));
        assertThat(closing.isAlive()).as("it still closes").isTrue();
      } finally {
        goOn.countDown();
        closing.join();
      }
    }
  }

  private static boolean bound(ServerSocket socket, int port) {
    try {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aFolderThatIsInUseIsNamed() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 1)) {
      TestCluster.Node node = cluster.leader();
      Member twin = TestCluster.newMember("n1");
      assertThatThrownBy(
              () ->
                  RatisEngine.start(
                      EngineSettings.of(node.folder, twin, List.of(twin)),
                      new Recorder(),
                      engine -> {}))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(node.folder.toString())
          .hasMessageContaining("is in use by another node");
      cluster.apply("a");
    }
  }

  /** POSIX drops the locks of a process on a file when the process closes it anywhere. */
  @Test
  void secondAttemptHereKeepsOtherProcessesOut() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 1)) {
      TestCluster.Node node = cluster.leader();
      assertThat(lockElsewhere(node.folder)).isEqualTo("taken");
      Member twin = TestCluster.newMember("n1");
      assertThatThrownBy(
              () ->
                  RatisEngine.start(
                      EngineSettings.of(node.folder, twin, List.of(twin)),
                      new Recorder(),
                      engine -> {}))
          .hasMessageContaining("is in use by another node");
      assertThat(lockElsewhere(node.folder)).isEqualTo("taken");
      cluster.stop(node);
      assertThat(lockElsewhere(node.folder)).isEqualTo("free");
    }
  }

  /** What another process gets when it takes the lock of a node. */
  private static String lockElsewhere(Path folder) throws Exception {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Locker.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(other.waitFor()).as(said).isZero();
    return said;
  }

  /** Takes the lock of a node in a process of its own. */
  static final class Locker {
    private Locker() {}

    public static void main(String[] arguments) throws IOException {
      try {
        ProcessLock.take(Path.of(arguments[0], "lock")).close();
        System.out.print("free");
      } catch (FileInUseException taken) {
        System.out.print("taken");
      }
    }
  }

  @Test
  void anEntryOverTheLimitIsLostAndTheLeaderStays() throws Exception {
    try (TestCluster cluster =
        TestCluster.of(root, 1, settings -> settings.withSizes(1 << 16, 1 << 20))) {
      TestCluster.Node node = cluster.leader();
      node.submit("x".repeat(70_000), "big");
      TestCluster.await("a fate", () -> node.machine.fates.containsKey("big"));
      assertThat(node.machine.fates.get("big").get(0))
          .isEqualTo("lost: an entry of 70000 bytes is over the limit of 65536");
      node.submit("y".repeat(1 << 16), "largest");
      TestCluster.await("a fate", () -> node.machine.fates.containsKey("largest"));
      assertThat(node.machine.fates.get("largest")).containsExactly("applied");
      assertThat(node.machine.roles).containsOnlyOnce("leading").doesNotContain("following n1");
    }
  }

  @Test
  void closingIsQuickAndLeavesNoThreadBehind() throws Exception {
    Set<String> before = threads();
    TestCluster cluster = TestCluster.of(root, 3);
    cluster.applyAll("a", 10);
    cluster.leader().engine.takeSnapshot().get(10, TimeUnit.SECONDS);
    cluster.leader().engine.readBarrier().get(10, TimeUnit.SECONDS);
    long start = System.nanoTime();
    cluster.close();
    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isLessThan(5_000);
    TestCluster.await(
        "end of all threads",
        () -> {
          Set<String> left = threads();
          left.removeAll(before);
          return left.isEmpty();
        });
  }

  /** All but those that Ratis and gRPC keep for the whole process, few and idle. */
  private static Set<String> threads() {
    Set<String> names = new TreeSet<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      String name = thread.getName();
      if (!name.startsWith("grpc-")
          && !name.startsWith("TimeoutScheduler")
          && !name.startsWith("timer")
          && !name.startsWith("Cleaner")
          && !name.startsWith("Common-Cleaner")
          && !name.startsWith("ForkJoinPool")
          && !name.startsWith("CompletableFuture")
          && !name.startsWith("process reaper")) {
        names.add(name);
      }
    }
    return names;
  }

  private static boolean run(String... command) throws Exception {
    return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
  }
}
