package io.onceward.cli.demo;

import java.util.Arrays;

/** Pairs of numbers that grow in count, sixteen bytes each: a run may have millions. */
final class Longs {
  private long[] first = new long[16];
  private long[] second = new long[16];
  private int size;

  void add(long one, long other) {
    if (size == first.length) {
      first = Arrays.copyOf(first, size * 2);
      second = Arrays.copyOf(second, size * 2);
    }
    first[size] = one;
    second[size] = other;
    size++;
  }

  int size() {
    return size;
  }

  long first(int index) {
    return first[index];
  }

  long second(int index) {
    return second[index];
  }

  /** In the order of the first of each pair; pairs with the same first keep their order. */
  Longs sorted() {
    Longs sorted = new Longs();
    Integer[] order = new Integer[size];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (a, b) -> Long.compare(first[a], first[b]));
    for (Integer index : order) {
      sorted.add(first[index], second[index]);
    }
    return sorted;
  }
}
