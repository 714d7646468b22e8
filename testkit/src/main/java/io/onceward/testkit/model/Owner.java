package io.onceward.testkit.model;

/** A principal and what it takes (K6, L3). */
final class Owner {
  final int number;
  final String name;
  int sessions;
  long bytes;

  Owner(int number, String name) {
    this.number = number;
    this.name = name;
  }
}
