package io.onceward.cli.demo;

import java.util.List;

/**
 * Everything that is shown at one moment.
 *
 * @param elapsedMillis since the clients began
 * @param lengthMillis how long they are to work
 * @param perSecond requests decided per second since the moment before
 * @param leader who leads, or empty if nobody is known to
 * @param history the seconds so far, oldest first
 * @param activity what the demo is doing
 * @param now what is wrong just now; empty if nothing is
 * @param events what happened, newest last
 */
record Figures(
    Phase phase,
    long seed,
    long elapsedMillis,
    long lengthMillis,
    Work work,
    long perSecond,
    long p50Micros,
    long p99Micros,
    String leader,
    long term,
    Troubles troubles,
    List<NodeView> nodes,
    List<ClientView> clients,
    List<Second> history,
    String activity,
    String now,
    List<Event> events) {

  /** Where the demo is. */
  enum Phase {
    STARTING("starting"),
    WORKING("working"),
    STOPPING("the clients finish"),
    PROVING("proving the books"),
    DONE("done");

    private final String words;

    Phase(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  /** What all clients were told and did, over all their processes. */
  record Work(long decided, long declined, long replays, long retries, long pending) {}

  /** What went wrong so far. */
  record Troubles(long kills, long pauses, long cuts, long clientKills, long leaderChanges) {}

  /** How a node is, as far as one can tell from outside. */
  enum Condition {
    STARTING("starting"),
    UP("up"),
    PAUSED("paused"),
    KILLED("killed");

    private final String words;

    Condition(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  /**
   * One node.
   *
   * @param role what it says itself; empty if it does not answer
   * @param position the last position that it applied, as last heard
   * @param connections how many clients are connected to it
   * @param gate what its gate does to them
   */
  record NodeView(
      String id,
      Condition condition,
      String role,
      long position,
      int connections,
      Gate.Stance gate) {}

  /** One client, over all its processes. */
  record ClientView(
      String name, String kind, Condition condition, long decided, long pending, int restarts) {}

  /**
   * One second of the run.
   *
   * @param fault the letter of a fault that began in it, or a space
   */
  record Second(long perSecond, char fault) {}

  /** Something that happened. */
  record Event(long atMillis, Tone tone, String text) {}

  /** Whether an event is trouble, the end of it, or neither. */
  enum Tone {
    TROUBLE,
    RELIEF,
    NEWS
  }
}
