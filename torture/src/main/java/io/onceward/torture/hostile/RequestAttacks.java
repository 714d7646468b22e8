package io.onceward.torture.hostile;

import io.onceward.Key;
import io.onceward.wire.Question;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Peers that ask what every client may ask, in the shape or number that costs a node most. */
final class RequestAttacks {
  private static final int COPYISTS = 3;
  private static final int COPIES = 32;
  private static final int FRESH = 64;
  private static final int ACKNOWLEDGED = 1_024;
  private static final int PARKERS = 16;
  private static final int PARKED = 100;
  private static final int CURIOUS = 4;
  private static final int DIGESTS = 20;
  private static final int STATUSES = 100_000;
  private static final int LISTERS = 4;
  private static final int LISTS = 64;
  private static final int LISTED = 100_000;
  private static final int OPENINGS = 2_000;

  /** More would be hung up on before one of their messages is whole. */
  private static final int QUERYING = 2;

  private static final int LONG_QUERY_BYTES = 15 << 20;
  private static final int COLLIDERS = 2;
  private static final int COLLIDING = 1_000;

  private RequestAttacks() {}

  /**
   * One request, sent again and again, that acknowledges as many keys as it may. The newest of them
   * have replies, since the same message asks for them first: those acknowledgements free
   * something, so a node has a reason to log them.
   */
  static Strike acknowledgementCopies(Siege siege) {
    Key key = newKey(siege);
    ArrayDeque<Key> taken = new ArrayDeque<>();
    for (int i = 0; i < ACKNOWLEDGED; i++) {
      taken.add(newKey(siege));
    }
    return ClientAttacks.flood(
        siege,
        COPYISTS,
        COPIES,
        () -> {
          List<Question> questions = new ArrayList<>();
          for (int i = 0; i < FRESH; i++) {
            taken.remove();
            taken.add(newKey(siege));
            questions.add(Words.keyed(taken.getLast()));
          }
          // In turn, so that copies differ from the one that they wait for.
          List<Key> keys = new ArrayList<>(taken);
          Question one = Words.acknowledging(key, keys);
          Collections.reverse(keys);
          Question other = Words.acknowledging(key, keys);
          for (int i = 0; i < COPIES; i++) {
            questions.add(i % 2 == 0 ? one : other);
          }
          return Words.message(questions.size(), i -> questions.get((int) i));
        });
  }

  private static Key newKey(Siege siege) {
    return Key.dated(System.currentTimeMillis() * 1_000, siege.random().nextLong());
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

  /** Statuses without digest: four bytes to ask, and nothing that the log would slow down. */
  static Strike statuses(Siege siege) {
    byte[] message = Words.message(STATUSES, i -> Words.status());
    return ClientAttacks.conversation(siege, CURIOUS, STATUSES, () -> message);
  }

  /** Many sessions, and then short pages of them: each is read while everybody else waits. */
  static Strike sessionLists(Siege siege) {
    int[] opened = {0};
    return ClientAttacks.conversation(
        siege,
        LISTERS,
        LISTS,
        () -> {
          if (opened[0] < LISTED) {
            opened[0] += OPENINGS;
            return Words.message(OPENINGS, i -> Words.open(siege.random(), 1));
          }
          return Words.message(
              LISTS,
              i -> new Question.ListSessions(siege.random().nextLong(1L << 40), (int) (i % 2) * 9));
        });
  }

  /** Queries that no service understands, each of which waits until its leader is confirmed. */
  static Strike longestQueries(Siege siege) {
    byte[] message = Words.message(1, i -> Words.query(LONG_QUERY_BYTES));
    return ClientAttacks.bulk(siege, QUERYING, () -> message);
  }

  /** Sequences of sessions that a hash without a secret finds in one place. */
  static Strike collidingIds(Siege siege) {
    long[] session = {0};
    return ClientAttacks.conversation(
        siege, COLLIDERS, COLLIDING, () -> Words.message(COLLIDING, i -> Words.colliding(session)));
  }
}
