package io.onceward.torture;

import io.onceward.torture.report.TorturedRun.Group;

/**
 * Something that goes wrong.
 *
 * @param what for people: who and how
 * @param victims how many nodes it happens to, or 1
 * @param begin makes it so
 * @param end undoes what {@link Cluster#heal} does not
 */
public record Fault(Kind kind, String what, int victims, Step begin, Step end) {

  /** All that can go wrong. */
  public enum Kind {
    KILL_LEADER(Group.NODES, "leader killed", 8),
    KILL_FOLLOWER(Group.NODES, "follower killed", 3),
    KILL_ALL(Group.NODES, "all nodes killed", 2),
    PAUSE_LEADER(Group.NODES, "leader paused", 4),
    PAUSE_FOLLOWER(Group.NODES, "follower paused", 2),
    ISOLATE_LEADER(Group.NETWORK, "leader cut off from the other nodes", 4),
    ISOLATE_FOLLOWER(Group.NETWORK, "follower cut off from everyone", 2),
    ONE_WAY(Group.NETWORK, "packets lost one way", 3),
    BRIDGE(Group.NETWORK, "two nodes see each other only through a third", 2),
    CLIENTS_CUT_OFF(Group.NETWORK, "clients cut off from the leader", 2),
    RESET(Group.NETWORK, "connections reset", 3),
    HALF_DEAD(Group.NETWORK, "connections that died without a sign", 3),
    SLOW(Group.NETWORK, "slow links", 3),
    LOSSY(Group.NETWORK, "some packets lost", 2),
    REJECT(Group.NETWORK, "packets answered with a reset", 2),
    CLOCK(Group.DISKS, "clock jumped", 2),
    FULL_DISK(Group.DISKS, "disk full", 1),
    IO_ERROR(Group.DISKS, "disk failing", 2),
    POWER_CUT(Group.DISKS, "power cut", 5),
    POWER_CUT_ALL(Group.DISKS, "power cut of all nodes", 2),
    WIPE(Group.MEMBERS, "node wiped and added again", 1),
    MEMBERSHIP(Group.MEMBERS, "member removed, another added", 1),
    TRANSFER(Group.MEMBERS, "leadership handed over", 2),
    ROLLING_RESTART(Group.MEMBERS, "rolling restart", 1),
    SNAPSHOT(Group.MEMBERS, "snapshots taken at once", 2),
    KILL_CLIENT(Group.CLIENTS, "client killed", 4),
    PAUSE_CLIENT(Group.CLIENTS, "client paused", 2);

    private final Group group;
    private final String words;
    private final int weight;

    Kind(Group group, String words, int weight) {
      this.group = group;
      this.words = words;
      this.weight = weight;
    }

    /** What it strikes. */
    Group group() {
      return group;
    }

    String words() {
      return words;
    }

    /** How often it comes compared with the others. */
    int weight() {
      return weight;
    }

    /** Whether it needs a cluster to which nothing else happens. */
    boolean wantsToBeAlone() {
      return this == WIPE || this == MEMBERSHIP || this == ROLLING_RESTART;
    }
  }

  /** One side of it. */
  @FunctionalInterface
  interface Step {
    void take() throws Exception;

    static Step nothing() {
      return () -> {};
    }
  }
}
