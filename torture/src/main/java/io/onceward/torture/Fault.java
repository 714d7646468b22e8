package io.onceward.torture;

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
    KILL_LEADER("leader killed", 8),
    KILL_FOLLOWER("follower killed", 3),
    KILL_ALL("all nodes killed", 2),
    PAUSE_LEADER("leader paused", 4),
    PAUSE_FOLLOWER("follower paused", 2),
    ISOLATE_LEADER("leader cut off from the other nodes", 4),
    ISOLATE_FOLLOWER("follower cut off from everyone", 2),
    ONE_WAY("packets lost one way", 3),
    BRIDGE("two nodes see each other only through a third", 2),
    CLIENTS_CUT_OFF("clients cut off from the leader", 2),
    RESET("connections reset", 3),
    HALF_DEAD("connections that died without a sign", 3),
    SLOW("slow links", 3),
    LOSSY("some packets lost", 2),
    REJECT("packets answered with a reset", 2),
    CLOCK("clock jumped", 2),
    FULL_DISK("disk full", 1),
    IO_ERROR("disk failing", 2),
    POWER_CUT("power cut", 5),
    POWER_CUT_ALL("power cut of all nodes", 2),
    WIPE("node wiped and added again", 1),
    MEMBERSHIP("member removed, another added", 1),
    TRANSFER("leadership handed over", 2),
    ROLLING_RESTART("rolling restart", 1),
    SNAPSHOT("snapshots taken at once", 2),
    KILL_CLIENT("client killed", 4),
    PAUSE_CLIENT("client paused", 2);

    private final String words;
    private final int weight;

    Kind(String words, int weight) {
      this.words = words;
      this.weight = weight;
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
