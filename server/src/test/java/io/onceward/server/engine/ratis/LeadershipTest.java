package io.onceward.server.engine.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.server.engine.Engine;
import io.onceward.server.engine.EngineSettings;
import io.onceward.wire.Member;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeadershipTest {
  @TempDir Path root;

  @Test
  void everyoneIsToldWhoLeadsAndWhereClientsFindIt() throws Exception {
    try (TestCluster cluster = TestCluster.patient(root, 3)) {
      TestCluster.Node leader = cluster.leader();
      for (TestCluster.Node follower : cluster.followers()) {
        TestCluster.await("leader known", () -> follower.machine.leader != null);
        assertThat(follower.machine.leader).isEqualTo(leader.member);
        assertThat(follower.engine.status().leader()).isEqualTo(leader.member.id());
        assertThat(follower.engine.status().role()).isEqualTo("follower");
      }
      assertThat(leader.engine.status().role()).isEqualTo("leader");
      assertThat(leader.engine.status().term()).isEqualTo(leader.machine.leadingTerm);
      assertThat(leader.engine.status().members())
          .containsExactlyElementsOf(cluster.nodes.values().stream().map(n -> n.member).toList());
    }
  }

  @Test
  void anotherNodeLeadsWhenTheLeaderIsGoneAndNothingAppliedIsForgotten() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 3)) {
      cluster.applyAll("before ", 20);
      TestCluster.Node first = cluster.leader();
      long term = first.machine.leadingTerm;
      cluster.stop(first);
      cluster.applyAll("after ", 20);
      assertThat(cluster.leader().machine.leadingTerm).isGreaterThan(term);
      cluster.start(first);
      cluster.awaitAgreement();
      List<String> all = new ArrayList<>();
      for (String prefix : List.of("before ", "after ")) {
        IntStream.range(0, 20).forEach(i -> all.add(prefix + i));
      }
      assertThat(first.machine.distinctEntries()).isEqualTo(all);
    }
  }

  /** A node alone may lead before its start returns, and has to form its cluster at once. */
  @Test
  void leaderCanSubmitFromTheFirstNotice() throws Exception {
    Member self = TestCluster.newMember("n1");
    AtomicReference<Engine> known = new AtomicReference<>();
    Recorder machine =
        new Recorder() {
          @Override
          public void leading(long term) {
            super.leading(term);
            known.get().submit("first".getBytes(StandardCharsets.UTF_8), "first");
          }
        };
    try (RatisEngine engine =
        RatisEngine.start(EngineSettings.of(root, self, List.of(self)), machine, known::set)) {
      TestCluster.await("its fate", () -> machine.fates.containsKey("first"));
      assertThat(known.get()).isSameAs(engine);
      assertThat(machine.fates.get("first")).containsExactly("applied");
      assertThat(machine.failures).isEmpty();
    }
  }

  @Test
  void followersForgetALeaderThatIsGone() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 3)) {
      cluster.apply("x");
      List<TestCluster.Node> followers = cluster.followers();
      TestCluster.Node last = followers.get(0);
      TestCluster.await("leader known", () -> last.machine.leader != null);
      cluster.stop(cluster.leader());
      cluster.stop(followers.get(1));
      TestCluster.await(
          "leader unknown", () -> last.machine.leader == null && !last.machine.leads());
      assertThat(last.machine.roles).endsWith("following nobody");
    }
  }

  @Test
  void everyHandleComesBackExactlyOnceThroughChangesOfTheLeader() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 3)) {
      Map<Integer, Recorder> submitted = new HashMap<>();
      AtomicBoolean done = new AtomicBoolean();
      Thread submitter =
          new Thread(
              () -> {
                for (int i = 0; !done.get(); i++) {
                  TestCluster.Node leader = cluster.leader();
                  Recorder machine = leader.machine;
                  leader.submit("entry " + i, i);
                  submitted.put(i, machine);
                  if (i % 4 == 3) {
                    Integer last = i;
                    TestCluster.await("a fate", () -> machine.fates.containsKey(last));
                  }
                }
              });
      submitter.start();
      for (int change = 0; change < 6; change++) {
        TestCluster.Node leader = cluster.leader();
        int applied = leader.machine.applied().size();
        TestCluster.await("progress", () -> leader.machine.applied().size() > applied + 20);
        try {
          leader.engine.transferLeadership("").get(10, TimeUnit.SECONDS);
        } catch (java.util.concurrent.ExecutionException refused) {
          // Then somebody else leads already, or this one goes on: both are fine here.
        }
      }
      done.set(true);
      submitter.join();
      for (Map.Entry<Integer, Recorder> one : submitted.entrySet()) {
        Recorder machine = one.getValue();
        TestCluster.await("a fate", () -> machine.fates.containsKey(one.getKey()));
      }
      cluster.apply("last");
      cluster.awaitAgreement();
      List<String> entries = new ArrayList<>(cluster.leader().machine.entries());
      entries.removeAll(List.of("last"));
      List<String> appliedHandles = new ArrayList<>();
      for (Map.Entry<Integer, Recorder> one : submitted.entrySet()) {
        List<String> fates = one.getValue().fates.get(one.getKey());
        assertThat(fates).hasSize(1);
        if (fates.get(0).equals("applied")) {
          appliedHandles.add("entry " + one.getKey());
        }
      }
      assertThat(entries).containsAll(appliedHandles).doesNotHaveDuplicates();
    }
  }

  @Test
  void whatIsSubmittedToAFollowerIsLost() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 3)) {
      TestCluster.Node follower = cluster.followers().get(0);
      follower.submit("x", "handle");
      TestCluster.await("a fate", () -> follower.machine.fates.containsKey("handle"));
      assertThat(follower.machine.fates.get("handle").get(0)).startsWith("lost");
    }
  }

  @Test
  void whatCannotBeCommittedIsLostWhenTheNodeIsClosed() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 3)) {
      TestCluster.Node leader = cluster.leader();
      Recorder machine = leader.machine;
      RatisEngine engine = leader.engine;
      for (TestCluster.Node follower : cluster.followers()) {
        cluster.stop(follower);
      }
      leader.submit("x", "first");
      leader.submit("y", "second");
      cluster.stop(leader);
      assertThat(machine.fates.get("first")).singleElement().asString().startsWith("lost");
      assertThat(machine.fates.get("second")).singleElement().asString().startsWith("lost");
      engine.submit(new byte[] {1}, "after the end");
      assertThat(machine.fates.get("after the end")).containsExactly("lost: this node has stopped");
    }
  }

  @Test
  void leadershipGoesToTheMemberThatIsNamed() throws Exception {
    try (TestCluster cluster = TestCluster.patient(root, 3)) {
      cluster.apply("x");
      TestCluster.Node next = cluster.followers().get(0);
      TestCluster.Node before = cluster.leader();
      before.engine.transferLeadership(next.member.id()).get(10, TimeUnit.SECONDS);
      TestCluster.await("the named leader", next.machine::leads);
      TestCluster.await("following", () -> next.member.equals(before.machine.leader));
      assertThat(before.machine.roles).endsWith("following " + next.member.id());
    }
  }

  @Test
  void transferSaysWhatIsWrong() throws Exception {
    try (TestCluster cluster = TestCluster.patient(root, 3)) {
      TestCluster.Node leader = cluster.leader();
      assertThatThrownBy(() -> leader.engine.transferLeadership("n9").get())
          .hasMessageContaining("there is no member n9; the members are n1, n2, n3");
      TestCluster.Node follower = cluster.followers().get(0);
      TestCluster.await("leader known", () -> follower.machine.leader != null);
      assertThatThrownBy(() -> follower.engine.transferLeadership("").get())
          .hasMessageContaining(
              follower.member.id()
                  + " does not lead; "
                  + leader.member.id()
                  + " at "
                  + leader.member.clientAddress()
                  + " does");
    }
  }
}
