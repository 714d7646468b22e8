package io.onceward.server.engine.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.server.engine.Declined;
import io.onceward.wire.Member;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MembershipTest {
  @TempDir Path root;

  @Test
  void aNewMemberCatchesUpAndLeadsAndStaysOneAfterARestart() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 3)) {
      cluster.applyAll("a", 20);
      TestCluster.Node joined = cluster.joining("n4");
      assertThat(joined.engine.status().role()).isEqualTo("starting");
      cluster.leader().engine.addMember(joined.member).get(20, TimeUnit.SECONDS);
      cluster.applyAll("b", 20);
      cluster.awaitAgreement();
      assertThat(cluster.leader().engine.status().members()).hasSize(4).contains(joined.member);
      cluster.leader().engine.transferLeadership("n4").get(10, TimeUnit.SECONDS);
      TestCluster.await("the new one leads", joined.machine::leads);
      for (TestCluster.Node follower : cluster.followers()) {
        TestCluster.await("hint", () -> joined.member.equals(follower.machine.leader));
      }
      cluster.stop(joined);
      cluster.start(joined);
      cluster.applyAll("c", 5);
      cluster.awaitAgreement();
      assertThat(joined.engine.status().members()).hasSize(4);
    }
  }

  @Test
  void aNewMemberIsBroughtUpWithASnapshot() throws Exception {
    try (TestCluster cluster =
        TestCluster.of(
            root,
            1,
            settings ->
                settings.withSnapshots(1_000_000, 1L << 40, 0).withSizes(1 << 16, 1 << 12))) {
      SnapshotTest.growAndPurge(cluster);
      TestCluster.Node joined = cluster.joining("n2");
      cluster.leader().engine.addMember(joined.member).get(20, TimeUnit.SECONDS);
      cluster.apply("then");
      cluster.awaitAgreement();
      assertThat(joined.machine.restored).hasSize(1);
    }
  }

  @Test
  void aRemovedMemberStopsAndTheOthersGoOn() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 3)) {
      cluster.applyAll("a", 5);
      TestCluster.Node leaving = cluster.followers().get(0);
      TestCluster.Node leader = cluster.leader();
      leader.engine.removeMember(leaving.member.id()).get(20, TimeUnit.SECONDS);
      TestCluster.await("its end", () -> !leaving.machine.failures.isEmpty());
      assertThat(leaving.machine.failures)
          .singleElement()
          .satisfies(
              failed ->
                  assertThat(failed.what())
                      .isEqualTo(leaving.member.id() + " was removed from the cluster"));
      cluster.stop(leaving);
      cluster.applyAll("b", 5);
      cluster.awaitAgreement();
      assertThat(leader.engine.status().members()).hasSize(2).doesNotContain(leaving.member);
    }
  }

  @Test
  void aChangeThatCannotBeMadeSaysWhy() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 3)) {
      TestCluster.Node leader = cluster.leader();
      String self = leader.member.id();
      assertThatThrownBy(() -> leader.engine.transferLeadership("n7").get())
          .hasCauseInstanceOf(Declined.class)
          .hasMessageContaining("there is no member n7; the members are n1, n2, n3");
      assertThatThrownBy(() -> leader.engine.removeMember(self).get())
          .hasCauseInstanceOf(Declined.class)
          .hasMessageContaining(self + " leads: transfer the leadership first");
      Member moved = new Member(self, leader.member.host(), 1, 2);
      assertThatThrownBy(() -> leader.engine.addMember(moved).get())
          .hasCauseInstanceOf(Declined.class)
          .hasMessageContaining(self + " is a member already, at another address");
      Member twin = new Member("n8", leader.member.host(), 1, leader.member.peerPort());
      assertThatThrownBy(() -> leader.engine.addMember(twin).get())
          .hasCauseInstanceOf(Declined.class)
          .hasMessageContaining(self + " has the peer address " + twin.peerAddress() + " already");
      TestCluster.Node follower = cluster.followers().get(0);
      assertThatThrownBy(() -> follower.engine.addMember(twin).get())
          .hasCauseInstanceOf(Declined.class)
          .hasMessageContaining(follower.member.id() + " does not lead");
    }
  }

  @Test
  void repeatedChangesSucceed() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 3)) {
      TestCluster.Node leader = cluster.leader();
      leader.engine.addMember(leader.member).get(20, TimeUnit.SECONDS);
      leader.engine.removeMember("n7").get(20, TimeUnit.SECONDS);
      assertThat(leader.engine.status().members()).hasSize(3);
    }
  }

  /** With the one that is up removed, nobody could commit the change, nor undo it. */
  @Test
  void memberIsNotRemovedWhoseAnswersTheOthersNeed() throws Exception {
    try (TestCluster cluster = TestCluster.patient(root, 3)) {
      cluster.applyAll("a", 5);
      TestCluster.Node leader = cluster.leader();
      TestCluster.Node up = cluster.followers().get(0);
      TestCluster.Node dead = cluster.followers().get(1);
      cluster.stop(dead);
      awaitSilence(leader, dead);
      assertThatThrownBy(() -> leader.engine.removeMember(up.member.id()).get(20, TimeUnit.SECONDS))
          .hasCauseInstanceOf(Declined.class)
          .hasMessageContaining(up.member.id() + " was not removed")
          .hasMessageContaining(dead.member.id() + " does not. Start what does not answer, or");
      cluster.applyAll("b", 5);
      assertThat(leader.machine.leads()).isTrue();
      leader.engine.removeMember(dead.member.id()).get(20, TimeUnit.SECONDS);
      cluster.applyAll("c", 5);
      assertThat(leader.engine.status().members()).containsOnly(leader.member, up.member);
    }
  }

  private static void awaitSilence(TestCluster.Node leader, TestCluster.Node dead)
      throws Exception {
    ReadBarriers barriers = ReadBarrierTest.barriers(leader);
    TestCluster.await(
        "silence",
        () ->
            barriers.appenders().stream()
                .anyMatch(
                    appender ->
                        appender.getFollowerId().equals(Peers.id(dead.member))
                            && appender.silentNanos() > TimeUnit.SECONDS.toNanos(2)));
  }

  @Test
  void changeWithoutMajorityIsUnknown() throws Exception {
    try (TestCluster cluster =
        TestCluster.of(root, 3, settings -> settings.withElection(4_000, 5_000))) {
      cluster.applyAll("a", 5);
      TestCluster.Node leader = cluster.leader();
      List<TestCluster.Node> others = cluster.followers();
      for (TestCluster.Node other : others) {
        cluster.stop(other);
      }
      // The entry is in the leader's log; whoever leads next may commit it (O3).
      assertThatThrownBy(
              () -> leader.engine.removeMember(others.get(0).member.id()).get(70, TimeUnit.SECONDS))
          .hasCauseInstanceOf(IllegalStateException.class)
          .cause()
          .isNotInstanceOf(Declined.class);
    }
  }

  /** The next leader may know nothing of it. */
  @Test
  void repeatedChangeIsNoSuccessBeforeTheFirstIsCommitted() throws Exception {
    try (TestCluster cluster =
        TestCluster.of(root, 3, settings -> settings.withElection(4_000, 5_000))) {
      cluster.applyAll("a", 5);
      TestCluster.Node leader = cluster.leader();
      List<TestCluster.Node> others = cluster.followers();
      TestCluster.Node joining = cluster.joining("n4");
      for (TestCluster.Node other : others) {
        cluster.stop(other);
      }
      CompletableFuture<Void> first = leader.engine.addMember(joining.member);
      TestCluster.await(
          "its entry", () -> leader.engine.status().members().contains(joining.member));
      assertThatThrownBy(() -> leader.engine.addMember(joining.member).get(70, TimeUnit.SECONDS))
          .hasCauseInstanceOf(IllegalStateException.class);
      assertThat(first).isNotCompleted();
    }
  }

  @Test
  void aMemberThatDoesNotAnswerIsNotAdded() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 1)) {
      cluster.apply("a");
      Member nobody = new Member("n9", "127.0.0.1", 1, 2);
      assertThatThrownBy(() -> cluster.leader().engine.addMember(nobody).get(30, TimeUnit.SECONDS))
          .hasCauseInstanceOf(Declined.class)
          .hasMessageContaining("n9 was not added: it did not answer at 127.0.0.1:2");
      cluster.apply("b");
      assertThat(cluster.leader().engine.status().members()).hasSize(1);
    }
  }
}
