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

  /** How many nodes a fault keeps from taking part until it is healed. */
  enum Harm {
    NONE,
    ONE,
    /** More than one, or nobody can say: then nothing is expected of the cluster meanwhile. */
    MANY
  }

  /** All that can go wrong. */
  public enum Kind {
    KILL_LEADER(Group.NODES, "leader killed", 8, Harm.ONE),
    KILL_FOLLOWER(Group.NODES, "follower killed", 3, Harm.ONE),
    KILL_ALL(Group.NODES, "all nodes killed", 2, Harm.MANY),
    PAUSE_LEADER(Group.NODES, "leader paused", 4, Harm.ONE),
    PAUSE_FOLLOWER(Group.NODES, "follower paused", 2, Harm.ONE),
    ISOLATE_LEADER(Group.NETWORK, "leader cut off from the other nodes", 4, Harm.ONE),
    ISOLATE_FOLLOWER(Group.NETWORK, "follower cut off from everyone", 2, Harm.ONE),
    ONE_WAY(Group.NETWORK, "packets lost one way", 3, Harm.MANY),
    BRIDGE(Group.NETWORK, "two nodes see each other only through a third", 2, Harm.MANY),
    CLIENTS_CUT_OFF(Group.NETWORK, "clients cut off from the leader", 2, Harm.MANY),
    RESET(Group.NETWORK, "connections reset", 3, Harm.NONE),
    HALF_DEAD(Group.NETWORK, "connections that died without a sign", 3, Harm.MANY),
    SLOW(Group.NETWORK, "slow links", 3, Harm.MANY),
    LOSSY(Group.NETWORK, "some packets lost", 2, Harm.MANY),
    REJECT(Group.NETWORK, "packets answered with a reset", 2, Harm.MANY),
    CLOCK(Group.DISKS, "clock jumped", 2, Harm.NONE),
    FULL_DISK(Group.DISKS, "disk full", 1, Harm.ONE),
    IO_ERROR(Group.DISKS, "disk failing", 2, Harm.MANY),
    POWER_CUT(Group.DISKS, "power cut", 5, Harm.ONE),
    POWER_CUT_ALL(Group.DISKS, "power cut of all nodes", 2, Harm.MANY),
    WIPE(Group.MEMBERS, "node wiped and added again", 1, Harm.MANY),
    MEMBERSHIP(Group.MEMBERS, "member removed, another added", 1, Harm.MANY),
    TRANSFER(Group.MEMBERS, "leadership handed over", 2, Harm.NONE),
    ROLLING_RESTART(Group.MEMBERS, "rolling restart", 1, Harm.MANY),
    SNAPSHOT(Group.MEMBERS, "snapshots taken at once", 2, Harm.NONE),
    KILL_CLIENT(Group.CLIENTS, "client killed", 4, Harm.NONE),
    PAUSE_CLIENT(Group.CLIENTS, "client paused", 2, Harm.NONE);

    private final Group group;
    private final String words;
    private final int weight;
    private final Harm harm;

    Kind(Group group, String words, int weight, Harm harm) {
      this.group = group;
      this.words = words;
      this.weight = weight;
      this.harm = harm;
    }

    /** How many nodes it keeps from taking part. */
    Harm harm() {
      return harm;
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
