package io.onceward.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Decision.Replied;
import io.onceward.Key;
import io.onceward.cli.ServerProcess;
import io.onceward.replica.Request;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node whose disk is full, or does not sync, stops and says so (L4). The others go on, and
 * nothing that was promised is lost.
 */
@Tag("processes")
@Timeout(120)
class DiskTest {
  private static final int BULK_BYTES = 700 << 10;

  /** Room for one file of the log, which is 16 MiB, and not for the next. */
  private static final int SMALL_MEGABYTES = 24;

  @TempDir private Path folder;
  private @Nullable Cluster cluster;
  private @Nullable TinyDisk disk;
  private final Map<Request, Replied> told = new LinkedHashMap<>();

  @AfterEach
  void end() {
    if (cluster != null) {
      cluster.close();
    }
    if (disk != null) {
      disk.close();
    }
  }

  private void ask(Cluster cluster, Request request) {
    told.put(request, cluster.reply(request));
  }

  private static Replied asReplay(Replied told) {
    return new Replied(told.reply(), true, told.position(), told.timeMillis());
  }

  private void assertNothingLost(Cluster cluster) {
    told.forEach((request, first) -> assertThat(cluster.reply(request)).isEqualTo(asReplay(first)));
    cluster.agree();
  }

  @Test
  void aFullDiskStopsItsNodeAndLosesNothing() throws Exception {
    disk = TinyDisk.mount(folder.resolve("a"), SMALL_MEGABYTES);
    Cluster cluster = Cluster.start(folder);
    this.cluster = cluster;
    cluster.transferTo("a");
    ServerProcess full = cluster.server("a");
    Patience.until(
        "the end of a node with " + SMALL_MEGABYTES + " MB of disk",
        () -> {
          ask(cluster, Commands.bulk(Key.text("bulk-" + told.size()), BULK_BYTES));
          return !full.isRunning();
        });
    assertThat(Cluster.endOf(full)).isEqualTo(8);
    assertThat(Cluster.lastWords(full))
        .contains("node a has stopped", cluster.data("a").toString(), "No space left on device");
    ask(cluster, Commands.keyedAdd(Key.text("without a"), "counter"));
    disk.resize(4 * SMALL_MEGABYTES);
    cluster.startAndAwait("a");
    assertNothingLost(cluster);
  }

  @Test
  void aFailedSyncStopsItsNodeAndLosesNothing() throws Exception {
    OddKernel kernel = OddKernel.build(folder);
    Cluster cluster = Cluster.of(folder);
    this.cluster = cluster;
    cluster.start("b");
    cluster.start("c");
    try (Child a = kernel.start(cluster, "a", Duration.ZERO)) {
      a.await("onceward 0.1.0 ready");
      cluster.startAll("b", "c");
      cluster.transferTo("b");
      ask(cluster, Commands.keyedAdd(Key.text("before"), "counter"));
      kernel.failSyncs();
      ask(cluster, Commands.keyedAdd(Key.text("as a follower"), "counter"));
      assertStoppedForItsDisk(a);
    }
    kernel.recover();
    try (Child a = kernel.start(cluster, "a", Duration.ZERO)) {
      a.await("onceward 0.1.0 ready");
      cluster.transferTo("a");
      Request request = Commands.keyedAdd(Key.text("as the leader"), "counter");
      kernel.failSyncs();
      // It may be decided by the others, or its fate may be unknown here; a retry settles it.
      tryOnce(cluster, request);
      assertStoppedForItsDisk(a);
      told.put(request, asReplay(cluster.reply(request)));
    }
    kernel.recover();
    cluster.startAndAwait("a");
    assertNothingLost(cluster);
    assertThat(cluster.counter("counter")).isEqualTo(3);
  }

  private static void tryOnce(Cluster cluster, Request request) {
    try {
      cluster.ask("a", request);
    } catch (Exception | AssertionError unknown) {
      assertThat(unknown).isNotNull();
    }
  }

  private void assertStoppedForItsDisk(Child a) throws InterruptedException {
    assertThat(a.awaitEnd()).isEqualTo(8);
    assertThat(a.lines("onceward: node a has stopped: "))
        .singleElement()
        .asString()
        .contains(folder.resolve("a").toString(), "Input/output error");
  }
}
