package io.onceward.cli.demo;

/**
 * What a client process tells about its work, four times a second, in one line: totals since its
 * start, and how long the requests since the last line took.
 *
 * @param decided requests with a reply
 * @param declined of these, how many the service declined: a transfer without enough money
 * @param replays answers that were marked as replays
 * @param retries copies that the library sent beyond the first
 * @param pending asked and not decided yet
 */
record Gauge(
    long decided, long declined, long replays, long retries, long pending, Latencies latencies) {
  private static final String FIRST_WORD = "gauge";

  String print() {
    return String.join(
        " ",
        FIRST_WORD,
        Long.toString(decided),
        Long.toString(declined),
        Long.toString(replays),
        Long.toString(retries),
        Long.toString(pending),
        latencies.print());
  }

  static boolean isOne(String line) {
    return line.startsWith(FIRST_WORD + " ");
  }

  /**
   * Reads what {@link #print} printed.
   *
   * @throws IllegalArgumentException if it is something else
   */
  static Gauge parse(String line) {
    String[] words = line.split(" ", -1);
    if (words.length != 7 || !isOne(line)) {
      throw new IllegalArgumentException("not the figures of a client: " + line);
    }
    return new Gauge(
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        Long.parseLong(words[4]),
        Long.parseLong(words[5]),
        Latencies.parse(words[6]));
  }
}
