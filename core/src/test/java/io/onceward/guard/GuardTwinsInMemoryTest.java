package io.onceward.guard;

/** A store in memory: every copy asks, and those that have to wait meet. */
class GuardTwinsInMemoryTest extends GuardTwins {
  GuardTwinsInMemoryTest() {
    super(ClaimStore.Durability.PROCESS);
  }
}
