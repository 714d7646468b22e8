package io.onceward.server.engine.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.server.engine.Declined;
import io.onceward.server.engine.EngineSettings;
import io.onceward.wire.Member;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdmissionTest {
  private static final Member SELF = new Member("n4", "127.0.0.1", 1, 2);

  @TempDir Path root;

  private EngineSettings joining() throws IOException {
    return EngineSettings.joining(Files.createDirectories(root.resolve("n4")), SELF);
  }

  private EngineSettings forming() throws IOException {
    return EngineSettings.of(Files.createDirectories(root.resolve("n4")), SELF, List.of(SELF));
  }

  /** Both logs have entries of the first term: to Raft alone they look the same. */
  @Test
  void nodeWithAClusterOfItsOwnIsNotAdded() throws Exception {
    try (TestCluster cluster = TestCluster.of(root.resolve("a"), 1);
        TestCluster other =
            new TestCluster(
                root.resolve("b"), List.of(TestCluster.newMember("n2")), settings -> settings)) {
      TestCluster.Node stranger = other.node("n2");
      other.start(stranger);
      other.applyAll("theirs", 5);
      cluster.applyAll("ours", 5);
      assertThatThrownBy(
              () -> cluster.leader().engine.addMember(stranger.member).get(30, TimeUnit.SECONDS))
          .hasMessageContaining("n2 was not added: it was not started to join");
      cluster.apply("more");
      other.apply("still theirs");
      assertThat(cluster.leader().engine.status().members()).hasSize(1);
      assertThat(stranger.machine.distinctEntries()).doesNotContain("more").contains("theirs4");
    }
  }

  @Test
  void nodeIsAddedUnderItsOwnNameOnly() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 1)) {
      TestCluster.Node joined = cluster.joining("n2");
      Member misnamed = new Member("n3", joined.member.host(), 1, joined.member.peerPort());
      assertThatThrownBy(
              () -> cluster.leader().engine.addMember(misnamed).get(30, TimeUnit.SECONDS))
          .hasMessageContaining("n3 was not added: the node at this address is n2");
    }
  }

  @Test
  void folderWithALogDoesNotJoin() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 1)) {
      TestCluster.Node node = cluster.node("n1");
      cluster.apply("a");
      cluster.stop(node);
      EngineSettings joining = EngineSettings.joining(node.folder, node.member);
      assertThatThrownBy(() -> RatisEngine.start(joining, new Recorder(), engine -> {}))
          .hasMessageContaining("holds the log or the vote of a cluster");
      cluster.start(node);
      cluster.apply("b");
      assertThat(node.machine.distinctEntries()).containsExactly("a", "b");
    }
  }

  @Test
  void nodeThatOnlyWaitedWaitsAgain() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 1)) {
      TestCluster.Node joined = cluster.joining("n2");
      cluster.stop(joined);
      cluster.start(joined);
      cluster.leader().engine.addMember(joined.member).get(30, TimeUnit.SECONDS);
      cluster.apply("a");
      cluster.awaitAgreement();
    }
  }

  /** It is listed as a member, but nobody has asked it in: it may have voted before. */
  @Test
  void waitingNodeGivesNoVote() throws Exception {
    List<Member> members = List.of(TestCluster.newMember("n1"), TestCluster.newMember("n2"));
    try (TestCluster cluster = new TestCluster(root, members, settings -> settings)) {
      EngineSettings waiting =
          EngineSettings.joining(root.resolve("waiting"), cluster.node("n2").member);
      Recorder machine = new Recorder();
      try (RatisEngine engine = RatisEngine.start(waiting, machine, started -> {})) {
        cluster.start(cluster.node("n1"));
        RatisEngine candidate = cluster.node("n1").engine;
        TestCluster.await("a campaign", () -> candidate.status().role().equals("candidate"));
        assertThat(engine.status().term()).isZero();
        assertThat(machine.roles).doesNotContain("following n1");
        assertThat(cluster.node("n1").machine.leads()).isFalse();
      }
    }
  }

  /** It may have voted before it lost everything, so it must not come back under its old name. */
  @Test
  void memberThatLostEverythingIsRemovedBeforeItIsAdded() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 3)) {
      TestCluster.Node lost = cluster.followers().get(0);
      cluster.applyAll("before", 3);
      RatisEngine leader = cluster.leader().engine;
      leader.addMember(lost.member).get(30, TimeUnit.SECONDS);
      cluster.stop(lost);
      leader.addMember(lost.member).get(30, TimeUnit.SECONDS);
      EngineSettings waiting = EngineSettings.joining(root.resolve("waiting"), lost.member);
      Recorder machine = new Recorder();
      try (RatisEngine engine = RatisEngine.start(waiting, machine, started -> {})) {
        assertThatThrownBy(() -> leader.addMember(lost.member).get(30, TimeUnit.SECONDS))
            .hasRootCauseInstanceOf(Declined.class)
            .hasMessageContaining("is a member already, but waits to be added")
            .hasMessageContaining("remove it first");
        assertThat(engine.status().role()).isEqualTo("starting");
        leader.removeMember(lost.member.id()).get(30, TimeUnit.SECONDS);
        leader.addMember(lost.member).get(30, TimeUnit.SECONDS);
        cluster.apply("after");
        TestCluster.await("the new one has all", () -> machine.distinctEntries().contains("after"));
        assertThat(machine.distinctEntries()).contains("before0", "before2");
      }
    }
  }

  @Test
  void oneClusterIsAcceptedAndNoOther() throws IOException {
    Admission admission = Admission.of(joining());
    assertThat(admission.takesPart()).isFalse();
    assertThat(admission.ask("n4", "first")).isEmpty();
    assertThat(admission.takesPart()).isTrue();
    assertThat(admission.ask("n4", "first")).isEmpty();
    assertThat(admission.ask("n4", "second")).contains("it has joined cluster first");

    Admission restarted = Admission.of(joining());
    assertThat(restarted.takesPart()).isTrue();
    assertThat(restarted.ask("n4", "second")).contains("it has joined cluster first");
    assertThat(restarted.ask("n4", "first")).isEmpty();
  }

  @Test
  void nodeThatAcceptedFormsNoCluster() throws IOException {
    assertThat(Admission.of(joining()).ask("n4", "first")).isEmpty();
    assertThatThrownBy(() -> Admission.of(forming()))
        .hasMessageContaining("belongs to a node that is joining cluster first");
  }

  @Test
  void nodeThatFormsAClusterTakesPartAtOnce() throws IOException {
    Admission admission = Admission.of(forming());
    assertThat(admission.takesPart()).isTrue();
    assertThat(admission.ask("n4", "first")).contains("it was not started to join");
  }

  @Test
  void damagedNoteIsRefused() throws IOException {
    Files.writeString(joining().folder().resolve("joined.properties"), "nothing=here\n");
    assertThatThrownBy(() -> Admission.of(joining()))
        .hasMessageContaining("does not say which cluster this node has joined");
  }
}
