package io.onceward.cli.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.Key;
import io.onceward.cli.ServerLaunch;
import io.onceward.cli.ServerProcess;
import io.onceward.client.Onceward;
import io.onceward.client.OutcomeUnknownException;
import io.onceward.client.Session;
import io.onceward.client.UnreachableException;
import io.onceward.services.ServiceDirectory;
import io.onceward.wire.Answer;
import io.onceward.wire.Member;
import io.onceward.wire.Question;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers are killed, paused and refused while clients go on asking. */
@Tag("processes")
@Timeout(120)
class FaultsTest {
  @TempDir private static Path folder;
  private static Cluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = Cluster.start(folder);
  }

  @AfterEach
  void heal() throws Exception {
    cluster.heal();
  }

  @AfterAll
  static void end() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void killedLeadersAndFollowersLoseNothingAndDoubleNothing() throws Exception {
    try (Load load = Load.start(cluster)) {
      load.goOn(100);
      for (int i = 0; i < 3; i++) {
        String killed = cluster.killLeader();
        load.goOn(100);
        cluster.startAndAwait(killed);
      }
      String follower = cluster.follower();
      cluster.kill(follower);
      load.goOn(100);
      cluster.startAndAwait(follower);
      load.goOn(100);
      load.checkBooks();
    }
  }

  @Test
  void allKilledAtOnceLoseNothingAndDoubleNothing() throws Exception {
    try (Load load = Load.start(cluster)) {
      load.goOn(100);
      cluster.killAll();
      cluster.startAll();
      load.goOn(100);
      load.checkBooks();
    }
  }

  @Test
  void aPausedLeaderNeitherReadsStaleNorActsTwiceWhenItGoesOn() throws Exception {
    String paused = cluster.leader();
    Key key = Key.text("while paused");
    try (Load load = Load.start(cluster);
        Line line = Line.to(cluster.member(paused))) {
      load.goOn(50);
      // The line is open before, so that what is asked now waits for the paused process.
      assertThat(line.ask(new Question.Status(false))).isInstanceOf(Answer.StatusTold.class);
      cluster.pause(paused);
      load.goOn(100);
      assertThat(cluster.leader()).isNotEqualTo(paused);
      var once = Commands.keyedAdd(key, "once");
      assertThat(Commands.value(cluster.reply(once).reply())).isEqualTo(1);
      long known = load.greatestTold();
      Bytes question = ServiceDirectory.address("counter", Commands.get(load.counter()));
      CompletableFuture<Answer> read = line.asking(new Question.Query(question));
      CompletableFuture<Answer> copy = line.asking(Line.framed(once));
      cluster.resume(paused);
      assertThat(Patience.get("what the paused leader says", read))
          .satisfies(answer -> assertNotStale(answer, known));
      Answer toTheCopy = Patience.get("what the paused leader says of the copy", copy);
      if (toTheCopy instanceof Answer.Decided decided) {
        assertThat(decided.decision()).isEqualTo(cluster.reply(once));
      }
      load.goOn(100);
      load.checkBooks();
      assertThat(cluster.counter("once")).isEqualTo(1);
    }
  }

  private static void assertNotStale(Answer answer, long known) {
    if (answer instanceof Answer.QueryTold told) {
      assertThat(Commands.value(told.reply())).isGreaterThanOrEqualTo(known);
    } else {
      assertThat(answer).isInstanceOfAny(Answer.NotLeader.class, Answer.Unavailable.class);
    }
  }

  @Test
  void withoutAMajorityCallersAreToldInTime() throws Exception {
    try (Onceward client =
        Onceward.builder()
            .addresses(List.of(cluster.addresses()))
            .patience(Duration.ofSeconds(2))
            .build()) {
      Session session = Patience.get("a session", client.openSession());
      cluster.killAll();
      assertThatThrownBy(() -> ask(client)).isInstanceOf(UnreachableException.class);
      ServerProcess alone = cluster.start("a");
      List<Throwable> told = new ArrayList<>();
      long asked = System.nanoTime();
      assertThatThrownBy(
              () ->
                  Patience.get(
                      "a deadline",
                      session.submit(
                          Commands.COUNTER, Commands.add("alone"), Duration.ofSeconds(2))))
          .isInstanceOf(OutcomeUnknownException.class)
          .satisfies(told::add);
      assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(4));
      Patience.until(
          "a line about the majority",
          () -> alone.complaints().stream().anyMatch(line -> line.contains("no leader yet")));
      assertThat(alone.complaints())
          .anyMatch(line -> line.contains("a majority is 2 members, 1 can be reached"));
      assertThat(alone.isRunning()).isTrue();
      assertThatThrownBy(() -> ask(client)).isInstanceOf(UnreachableException.class);
      cluster.startAll();
      // The deadline ended the wait, not the request.
      var id = ((OutcomeUnknownException) told.get(0)).requestId().orElseThrow();
      assertThat(Commands.value(Patience.get("the decision", session.decision(id)).reply()))
          .isEqualTo(1);
      assertThat(cluster.counter("alone")).isEqualTo(1);
      session.close();
    }
  }

  private static void ask(Onceward client) throws Exception {
    Patience.get("an end of the query", client.query(Commands.COUNTER, Commands.get("alone")));
  }

  @Test
  void whoCannotStartSaysWhyAndDisturbsNobody() throws Exception {
    Member fresh = Cluster.members(1).get(0);
    // The folder of a running server.
    assertThat(refusal(ServerLaunch.of(cluster.data("a"), fresh, List.of(fresh)), 7))
        .contains(cluster.data("a").toString(), "in use by a running server");
    // The folder of another node.
    cluster.kill("b");
    assertThat(refusal(ServerLaunch.of(cluster.data("b"), fresh, List.of(fresh)), 7))
        .contains(cluster.data("b").toString(), "belongs to node b, not to a");
    // A port that somebody else has, for clients and for peers.
    Member b = cluster.member("b");
    for (int port : new int[] {b.clientPort(), b.peerPort()}) {
      try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        assertThat(taken.isBound()).isTrue();
        assertThat(refusal(cluster.launch("b"), 6))
            .contains("cannot listen", "127.0.0.1:" + port, "Address already in use");
      }
    }
    cluster.startAll();
    cluster.agree();
  }

  /** What a server says that must not start. */
  private static String refusal(ServerLaunch launch, int code) throws Exception {
    try (ServerProcess server = launch.start()) {
      assertThat(Cluster.endOf(server)).isEqualTo(code);
      Patience.until("its last words", () -> !server.complaints().isEmpty());
      return Cluster.lastWords(server);
    }
  }
}
