package io.onceward.guard;

/** A store that has to be asked over a distance: one copy asks for all in its process. */
class GuardTwinsApartTest extends GuardTwins {
  GuardTwinsApartTest() {
    super(ClaimStore.Durability.DURABLE);
  }
}
