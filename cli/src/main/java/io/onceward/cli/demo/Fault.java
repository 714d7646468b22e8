package io.onceward.cli.demo;

/** What goes wrong, and for how long. Who leads at that moment is found out when it happens. */
sealed interface Fault {

  /** Which node is meant. */
  enum Target {
    LEADER("the leader"),
    FOLLOWER("a follower");

    private final String words;

    Target(String words) {
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  /** SIGKILL, and a start with the same data folder after a while. */
  record KillNode(Target target, long millis) implements Fault {}

  /** SIGKILL to every node: what was promised must be on disk. */
  record KillAllNodes(long millis) implements Fault {}

  /** SIGSTOP: a leader that comes back and does not know yet that it was replaced. */
  record PauseNode(Target target, long millis) implements Fault {}

  /** Resets the connections of all clients to a node; they may come back at once. */
  record CutConnections(Target target) implements Fault {
    @Override
    public long millis() {
      return 0;
    }
  }

  /** Resets the connections of all clients to all nodes. */
  record CutAllConnections() implements Fault {
    @Override
    public long millis() {
      return 0;
    }
  }

  /** Turns clients away from a node that is well. */
  record RefuseConnections(Target target, long millis) implements Fault {}

  /** Lets connections stand, but nothing passes; what was held back arrives late. */
  record StallConnections(Target target, long millis) implements Fault {}

  /**
   * SIGKILL to a client with a durable name, which then starts again with its journal.
   *
   * @param pick which of them, counted round
   */
  record KillClient(int pick, long millis) implements Fault {}

  /** How long until it is healed. */
  long millis();

  /** One letter, for the line below the chart. */
  default char letter() {
    if (this instanceof KillNode || this instanceof KillAllNodes) {
      return 'K';
    }
    if (this instanceof PauseNode) {
      return 'P';
    }
    return this instanceof KillClient ? 'R' : 'C';
  }
}
