package io.onceward.torture.hostile;

import io.onceward.Key;
import java.util.ArrayList;
import java.util.List;

/** Peers that ask what every client may ask, in the shape or number that costs a node most. */
final class RequestAttacks {
  private static final int COPYISTS = 3;
  private static final int COPIES = 8;
  private static final int ACKNOWLEDGED = 1_024;
  private static final int PARKERS = 16;
  private static final int PARKED = 100;
  private static final int CURIOUS = 4;
  private static final int DIGESTS = 20;
  private static final int COLLIDERS = 2;
  private static final int COLLIDING = 1_000;

  private RequestAttacks() {}

  /** One request, sent again and again, that acknowledges as many keys as it may. */
  static Strike acknowledgementCopies(Siege siege) {
    Key key = Key.dated(System.currentTimeMillis() * 1_000, siege.random().nextLong());
    List<List<Key>> lists = List.of(keys(siege), keys(siege));
    return ClientAttacks.conversation(
        siege,
        COPYISTS,
        COPIES,
        // In turn, so that copies differ from the one that they wait for.
        () -> Words.message(COPIES, i -> Words.acknowledging(key, lists.get((int) i % 2))));
  }

  private static List<Key> keys(Siege siege) {
    List<Key> keys = new ArrayList<>();
    for (int i = 0; i < ACKNOWLEDGED; i++) {
      keys.add(Key.of(Key.Kind.HASH, siege.random().nextLong(), siege.random().nextLong()));
    }
    return keys;
  }

  /** Keep-alives of sessions that never were; each waits until an entry takes it along. */
  static Strike parkedKeepAlives(Siege siege) {
    return ClientAttacks.conversation(
        siege,
        PARKERS,
        PARKED,
        () -> Words.message(PARKED, i -> Words.keepAlive(siege.random().nextLong(1, 1L << 60))));
  }

  /** Digests of everything that the node holds. */
  static Strike digests(Siege siege) {
    return ClientAttacks.conversation(
        siege, CURIOUS, DIGESTS, () -> Words.message(DIGESTS, i -> Words.digest()));
  }

  /** Sequences of sessions that a hash without a secret finds in one place. */
  static Strike collidingIds(Siege siege) {
    long[] session = {0};
    return ClientAttacks.conversation(
        siege, COLLIDERS, COLLIDING, () -> Words.message(COLLIDING, i -> Words.colliding(session)));
  }
}
