package io.onceward.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.server.FreePorts;
import io.onceward.wire.Member;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers as a user starts them: in processes of their own. */
@Timeout(60)
class ServerProcessTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir private Path folder;

  private final List<String> said = Collections.synchronizedList(new ArrayList<>());
  private Member self;

  @BeforeEach
  void choosePorts() throws IOException {
    self = FreePorts.members(1, i -> String.valueOf((char) ('a' + i))).get(0);
  }

  private ServerLaunch launch() {
    return ServerLaunch.of(folder.resolve("data"), self, List.of(self)).heardBy(said::add);
  }

  @Test
  void saysOneLineWhenItIsReadyAndEndsInOrder() throws Exception {
    try (ServerProcess server = launch().start()) {
      String expected =
          "onceward 0.1.0 ready on "
              + self.clientAddress()
              + " (node a, leader, data "
              + folder.resolve("data")
              + ")";
      assertThat(server.awaitReady(SOON)).isEqualTo(expected);
      assertThat(server.stop()).isZero();
      assertThat(server.isRunning()).isFalse();
      assertThat(server.complaints()).isEmpty();
      assertThat(said).containsExactly(expected);
    }
  }

  @Test
  void aFolderInUseIsRefusedUntilItsServerIsGone() throws Exception {
    try (ServerProcess server = launch().start()) {
      server.awaitReady(SOON);
      Shell.Result second =
          new Shell()
              .run("server", "--data", folder.resolve("data").toString(), "--node", self.id());
      assertThat(second.code()).isEqualTo(ExitCode.FOLDER.number());
      assertThat(second.err()).contains("is in use by a running server").hasLineCount(1);
      server.kill();
      try (ServerProcess again = launch().start()) {
        assertThat(again.awaitReady(SOON)).contains("ready on " + self.clientAddress());
      }
    }
  }

  @Test
  void aFolderOfAnotherNodeOrFormatIsRefused() throws Exception {
    Path foreign = Files.createDirectories(folder.resolve("foreign"));
    Files.writeString(foreign.resolve("node.properties"), "format=1\nnode=z\n");
    assertThatThrownBy(() -> startIn(foreign).awaitReady(SOON))
        .hasMessageContaining("ended with code 7")
        .hasMessageContaining("belongs to node z, not to a");
    Files.writeString(foreign.resolve("node.properties"), "format=99\nnode=a\n");
    assertThatThrownBy(() -> startIn(foreign).awaitReady(SOON))
        .hasMessageContaining("ended with code 7")
        .hasMessageContaining("has format 99");
  }

  private ServerProcess startIn(Path data) throws IOException {
    return ServerLaunch.of(data, self, List.of(self)).start();
  }

  @Test
  void aTakenPortIsRefused() throws Exception {
    try (ServerSocket taken =
        new ServerSocket(self.clientPort(), 1, InetAddress.getLoopbackAddress())) {
      assertThat(taken.isBound()).isTrue();
      assertPortIsTaken();
    }
    try (ServerSocket taken =
        new ServerSocket(self.peerPort(), 1, InetAddress.getLoopbackAddress())) {
      assertThat(taken.isBound()).isTrue();
      assertPortIsTaken();
    }
  }

  private void assertPortIsTaken() throws IOException {
    try (ServerProcess server = launch().start()) {
      assertThatThrownBy(() -> server.awaitReady(SOON)).hasMessageContaining("ended with code 6");
      assertThat(server.complaints())
          .singleElement()
          .asString()
          .contains("cannot listen", "Address already in use");
    }
  }

  @Test
  void aPausedServerGoesOnWhereItWas() throws Exception {
    try (ServerProcess server = launch().options("--json").start()) {
      assertThat(JsonText.object(server.awaitReady(SOON)))
          .containsEntry("ready", self.clientAddress())
          .containsEntry("role", "leader");
      server.pause();
      Waiting.until(SOON, () -> isPaused(server));
      server.resume();
      Waiting.until(SOON, () -> !isPaused(server));
      assertThat(server.stop()).isZero();
    }
  }

  /** Asks the operating system, whose letter for it is T. */
  private static boolean isPaused(ServerProcess server) {
    try {
      Process ps = new ProcessBuilder("ps", "-o", "state=", "-p", "" + server.pid()).start();
      return new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
          .startsWith("T");
    } catch (IOException problem) {
      throw new UncheckedIOException(problem);
    }
  }

  @Test
  void endsWhenItsInputEnds() throws Exception {
    // What the death of the parent looks like to the child.
    Process process =
        new ProcessBuilder(launch().command())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      process.getOutputStream().close();
      assertThat(process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void saysHowManyMembersOfAMajorityCanBeReached() throws Exception {
    List<Member> members = FreePorts.members(3, i -> String.valueOf((char) ('a' + i)));
    self = members.get(0);
    try (ServerProcess server =
        ServerLaunch.of(folder.resolve("data"), self, members).heardBy(said::add).start()) {
      Waiting.until(SOON, () -> !said.isEmpty());
      assertThat(said)
          .singleElement()
          .asString()
          .contains("no leader yet: a majority is 2 members, 1 can be reached", "b at ", "c at ");
      assertThat(server.isRunning()).isTrue();
    }
  }
}
