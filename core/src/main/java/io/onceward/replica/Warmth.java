package io.onceward.replica;

/**
 * Takes the results of reads that only bring memory into the cache, so that the compiler must not
 * leave them out.
 */
final class Warmth {
  private long sum;

  void add(long read) {
    sum += read;
  }

  long sum() {
    return sum;
  }
}
