package io.onceward.testkit.world;

/**
 * Carries messages between nodes and clients: loses, delays, duplicates and reorders them, and
 * stops at partitions. A message that is under way when a partition begins is lost.
 */
final class Network {
  /**
   * How bad it is.
   *
   * @param slowPerMille how many messages take a detour of up to {@code slowMillis}
   */
  record Weather(
      int lossPerMille,
      int duplicatePerMille,
      int slowPerMille,
      long leastMillis,
      long mostMillis,
      long slowMillis) {
    static final Weather CALM = new Weather(0, 0, 0, 1, 3, 0);
  }

  private final VirtualTime time;
  private final Dice dice;
  private final int nodes;
  private final int[] sides;
  private Weather weather;
  private boolean divided;
  private int partition;

  Network(VirtualTime time, Dice dice, int nodes, Weather weather) {
    this.time = time;
    this.dice = dice;
    this.nodes = nodes;
    this.sides = new int[nodes];
    this.weather = weather;
  }

  void weather(Weather now) {
    weather = now;
  }

  /** Puts each node on the side of that number; clients reach the side of theirs. */
  void divide(int[] sideOfNode) {
    System.arraycopy(sideOfNode, 0, sides, 0, nodes);
    divided = true;
    partition++;
  }

  void unite() {
    divided = false;
  }

  boolean connected(int from, int to) {
    return !divided || side(from) == side(to) || side(from) < 0 || side(to) < 0;
  }

  /** Clients are on everybody's side, except every third of them. */
  private int side(int endpoint) {
    if (endpoint < nodes) {
      return sides[endpoint];
    }
    return endpoint % 3 == 0 ? (endpoint / 3) % 2 : -1;
  }

  void send(int from, int to, Runnable delivery) {
    if (!connected(from, to) || dice.perMille(weather.lossPerMille())) {
      return;
    }
    carry(from, to, delivery);
    if (dice.perMille(weather.duplicatePerMille())) {
      carry(from, to, delivery);
    }
  }

  private void carry(int from, int to, Runnable delivery) {
    long delay = dice.between(weather.leastMillis(), weather.mostMillis());
    if (dice.perMille(weather.slowPerMille())) {
      delay += dice.between(0, weather.slowMillis());
    }
    int sentIn = partition;
    time.after(
        delay,
        () -> {
          if (sentIn == partition || connected(from, to)) {
            delivery.run();
          }
        });
  }
}
