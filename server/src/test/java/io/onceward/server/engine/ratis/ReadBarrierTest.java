package io.onceward.server.engine.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadBarrierTest {
  @TempDir Path root;

  @Test
  void behindTheBarrierEverythingCommittedBeforeItIsApplied() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 3)) {
      TestCluster.Node leader = cluster.leader();
      cluster.apply("a");
      CountDownLatch slow = new CountDownLatch(1);
      leader.machine.beforeApply =
          entry -> {
            try {
              slow.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          };
      long committed = leader.engine.status().committed();
      leader.submit("b", "b");
      TestCluster.await("commit", () -> leader.engine.status().committed() > committed);
      CompletableFuture<Void> barrier = leader.engine.readBarrier();
      CompletableFuture<List<String>> seen = barrier.thenApply(nothing -> leader.machine.entries());
      assertThat(barrier).isNotDone();
      slow.countDown();
      assertThat(seen.get(10, TimeUnit.SECONDS)).containsExactly("a", "b");
    }
  }

  @Test
  void aBarrierWritesNoEntry() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 3)) {
      cluster.apply("a");
      TestCluster.Node leader = cluster.leader();
      long before = leader.engine.status().committed();
      for (int i = 0; i < 50; i++) {
        leader.engine.readBarrier().get(10, TimeUnit.SECONDS);
      }
      assertThat(leader.engine.status().committed()).isEqualTo(before);
    }
  }

  @Test
  void manyReadersGetThroughTogether() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 3)) {
      cluster.apply("a");
      TestCluster.Node leader = cluster.leader();
      List<CompletableFuture<Void>> barriers = new ArrayList<>();
      for (int i = 0; i < 10_000; i++) {
        barriers.add(leader.engine.readBarrier());
      }
      CompletableFuture.allOf(barriers.toArray(CompletableFuture[]::new)).get(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void aNodeThatFormsTheClusterAloneAsksNobody() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 1)) {
      cluster.apply("a");
      cluster.leader().engine.readBarrier().get(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void aFollowerLetsNobodyThrough() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 3)) {
      TestCluster.Node follower = cluster.followers().get(0);
      assertThatThrownBy(() -> follower.engine.readBarrier().get(10, TimeUnit.SECONDS))
          .hasMessageContaining("does not lead");
    }
  }

  /** Ratis lets such readers through if nothing was committed since it last heard of a majority. */
  @Test
  void aLeaderWhoseFollowersAreSilentLetsNobodyThroughThoughNothingHasChanged() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 3)) {
      cluster.apply("a");
      TestCluster.Node leader = cluster.leader();
      leader.engine.readBarrier().get(10, TimeUnit.SECONDS);
      List<TestCluster.Node> followers = cluster.followers();
      List<CompletableFuture<Void>> barriers = new ArrayList<>();
      synchronized (division(followers.get(0))) {
        synchronized (division(followers.get(1))) {
          assertThat(leader.machine.leads()).isTrue();
          while (leader.machine.leads()) {
            barriers.add(leader.engine.readBarrier());
            TimeUnit.MILLISECONDS.sleep(1);
          }
          barriers.add(leader.engine.readBarrier());
        }
      }
      assertThat(barriers).hasSizeGreaterThan(1);
      for (CompletableFuture<Void> barrier : barriers) {
        assertThatThrownBy(() -> barrier.get(10, TimeUnit.SECONDS))
            .hasMessageContaining("does not lead");
      }
    }
  }

  /** Who holds its monitor keeps a node of Ratis from answering anyone. */
  private static Object division(TestCluster.Node node) throws Exception {
    Field field = RatisEngine.class.getDeclaredField("division");
    field.setAccessible(true);
    return field.get(node.engine);
  }

  /** The one that leaves is called no more before the other one knows that it is alone. */
  @Test
  void readersGetThroughWhileTheOtherMemberIsRemoved() throws Exception {
    try (TestCluster cluster = TestCluster.patient(root, 2)) {
      cluster.apply("a");
      for (int removal = 0; removal < 4; removal++) {
        TestCluster.Node leader = cluster.leader();
        TestCluster.Node leaving = cluster.followers().get(0);
        AtomicBoolean over = new AtomicBoolean();
        List<CompletableFuture<Void>> reading = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          reading.add(readOn(leader.engine, over));
        }
        leader.engine.removeMember(leaving.member.id()).get(20, TimeUnit.SECONDS);
        over.set(true);
        CompletableFuture.allOf(reading.toArray(CompletableFuture[]::new))
            .get(20, TimeUnit.SECONDS);
        leader.engine.readBarrier().get(20, TimeUnit.SECONDS);
        assertThat(barriers(leader).appenders()).as("followers still called").isEmpty();
        cluster.stop(leaving);
        TestCluster.Node joined = cluster.joining("again" + removal);
        leader.engine.addMember(joined.member).get(20, TimeUnit.SECONDS);
      }
    }
  }

  /** One read after the other, and a last one after all is over. */
  private static CompletableFuture<Void> readOn(RatisEngine engine, AtomicBoolean over) {
    return engine
        .readBarrier()
        .thenComposeAsync(
            read -> over.get() ? CompletableFuture.completedFuture(null) : readOn(engine, over));
  }

  static ReadBarriers barriers(TestCluster.Node node) throws Exception {
    Field field = RatisEngine.class.getDeclaredField("barriers");
    field.setAccessible(true);
    return (ReadBarriers) field.get(node.engine);
  }

  @Test
  void barriersFailWhenTheNodeIsClosed() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 3)) {
      cluster.apply("a");
      TestCluster.Node leader = cluster.leader();
      RatisEngine engine = leader.engine;
      for (TestCluster.Node follower : cluster.followers()) {
        cluster.stop(follower);
      }
      CompletableFuture<Void> barrier = engine.readBarrier();
      cluster.stop(leader);
      assertThatThrownBy(() -> barrier.get(10, TimeUnit.SECONDS))
          .hasMessageContaining("does not lead");
      assertThat(engine.readBarrier()).isCompletedExceptionally();
    }
  }
}
