package io.onceward.server.engine.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.wire.Member;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SilentPeersTest {
  @TempDir Path root;
  private Wires wires;
  private TestCluster cluster;

  @BeforeEach
  void start() throws IOException {
    List<Member> members =
        List.of(
            TestCluster.newMember("n1"), TestCluster.newMember("n2"), TestCluster.newMember("n3"));
    wires = new Wires(members);
    cluster = new TestCluster(root, members, settings -> settings.withBindHost(Wires.BEHIND));
    for (TestCluster.Node node : cluster.nodes.values()) {
      cluster.start(node);
    }
    cluster.applyAll("before ", 5);
    cluster.awaitAgreement();
  }

  @AfterEach
  void stop() throws IOException {
    cluster.close();
    wires.close();
  }

  @Test
  void membersFindEachOtherAgainWhenAllTheirConnectionsHaveDiedWithoutASign() {
    cluster.nodes.values().forEach(node -> wires.die(node.member));
    cluster.apply("afterwards");
    cluster.awaitAgreement();
  }

  @Test
  void aFollowerIsReachedAgainWhileTheOthersGoOn() {
    TestCluster.Node leader = cluster.leader();
    TestCluster.Node deaf = cluster.followers().get(0);
    wires.die(deaf.member);
    cluster.apply("afterwards");
    cluster.awaitAgreement();
    assertThat(cluster.leader()).isSameAs(leader);
    assertThat(deaf.machine.position()).isEqualTo(leader.machine.position());
  }

  /** Ratis has one for entries and one for heartbeats: the latter hide that the former is dead. */
  @Test
  void aFollowerThatHearsHeartbeatsAloneGetsEntriesAgain() {
    TestCluster.Node leader = cluster.leader();
    TestCluster.Node deaf = cluster.followers().get(0);
    cluster.applyAll("x".repeat(10_000), 5);
    cluster.awaitAgreement();
    wires.dieBusiest(deaf.member);
    cluster.applyAll("afterwards ", 5);
    cluster.awaitAgreement();
    assertThat(cluster.leader()).isSameAs(leader);
    assertThat(deaf.machine.position()).isEqualTo(leader.machine.position());
  }

  /** The answer would have made the entry count; no later one comes that would. */
  @Test
  void anEntryIsSentAgainWhoseAnswerWasLost() throws IOException {
    TestCluster.Node voter = cluster.followers().get(0);
    cluster.applyAll("x".repeat(10_000), 5);
    cluster.awaitAgreement();
    cluster.stop(cluster.followers().get(1));
    wires.loseAnswersOfBusiest(voter.member);
    cluster.apply("afterwards");
    cluster.awaitAgreement();
  }

  @Test
  void aMemberThatIsSilentIsGivenUpOncePerPatience() {
    SilentPeers.Watch watch = new SilentPeers.Watch(10, 0);
    List<Long> moments = new ArrayList<>();
    for (long now = 1; now <= 35; now++) {
      if (watch.givesUp(now, now, now)) {
        moments.add(now);
      }
    }
    assertThat(moments).containsExactly(10L, 20L, 30L);
  }

  @Test
  void whoWasAwayIsGivenTimeToAnswerEntriesAgain() {
    SilentPeers.Watch watch = new SilentPeers.Watch(10, 0);
    List<Long> moments = new ArrayList<>();
    for (long now = 1; now <= 45; now++) {
      long silent = now <= 25 ? now : 0;
      if (watch.givesUp(silent, now, now)) {
        moments.add(now);
      }
    }
    assertThat(moments).as("away until 25").containsExactly(10L, 20L, 35L);
  }

  @Test
  void entriesThatTakeTheirTimeGetEverMoreOfIt() {
    SilentPeers.Watch watch = new SilentPeers.Watch(10, 0);
    List<Long> moments = new ArrayList<>();
    for (long now = 1; now <= 200; now++) {
      long unanswered = now < 100 ? now : now - 100;
      if (watch.givesUp(0, unanswered, now)) {
        moments.add(now);
      }
    }
    assertThat(moments).as("answered at 100").containsExactly(10L, 30L, 70L, 110L, 130L, 170L);
  }
}
