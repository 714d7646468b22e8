package io.onceward.torture;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Draws the members to whom something happens. Who leads is found out at that moment. */
final class Victims {
  /** Short: with the faults of an episode in force, nobody may be able to lead until it is over. */
  private static final Duration LEADER_PATIENCE = Duration.ofSeconds(3);

  private final Cluster cluster;
  private final Dice dice;

  Victims(Cluster cluster, Dice dice) {
    this.cluster = cluster;
    this.dice = dice;
  }

  /** Waits a while for one that leads. */
  TortureNode leader() throws InterruptedException, TimeoutException {
    return cluster.awaitLeader(LEADER_PATIENCE);
  }

  TortureNode follower() throws InterruptedException, TimeoutException {
    TortureNode leader = leader();
    List<TortureNode> followers =
        cluster.members().stream().filter(node -> node != leader).toList();
    return followers.get(dice.nextInt(followers.size()));
  }

  TortureNode any() {
    return cluster.members().get(dice.nextInt(cluster.members().size()));
  }

  /**
   * Draws the leader or a follower of those that are free.
   *
   * @param free the victim is taken out
   * @return null if there is none
   */
  @Nullable TortureNode take(List<TortureNode> free, boolean leader)
      throws InterruptedException, TimeoutException {
    TortureNode leading = leader();
    List<TortureNode> fitting = free.stream().filter(node -> (node == leading) == leader).toList();
    if (fitting.isEmpty()) {
      return null;
    }
    TortureNode victim = fitting.get(dice.nextInt(fitting.size()));
    free.remove(victim);
    return victim;
  }

  /** The ids of all other members. */
  List<String> others(TortureNode node) {
    return cluster.members().stream().filter(each -> each != node).map(TortureNode::id).toList();
  }
}
