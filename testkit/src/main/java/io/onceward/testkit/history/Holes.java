package io.onceward.testkit.history;

import java.util.Arrays;

/**
 * The serials of a service that nobody was told, and the requests that may have been given them:
 * those whose outcome is not known, unless a journal would have told it, or that executed without
 * telling. One that was sent only after somebody had seen a later serial cannot have had an earlier
 * one.
 */
final class Holes {
  private final History history;

  /** In the order in which they were first sent. */
  private final int[] candidates;

  /** For each serial, when somebody first had proof that it was given. */
  private final long[] provenBy;

  private final int untold;
  private final int count;

  private Holes(History history, int[] candidates, long[] provenBy, int untold, int count) {
    this.history = history;
    this.candidates = candidates;
    this.provenBy = provenBy;
    this.untold = untold;
    this.count = count;
  }

  static Holes of(Evidence evidence, ServiceOrder order) {
    History history = evidence.history();
    int service = history.serviceNumber(order.name);
    int[] found = new int[64];
    int size = 0;
    int untold = 0;
    for (int request = 0; request < history.requests; request++) {
      Fate fate = history.fate(request);
      if ((fate == Fate.UNRESOLVED || fate == Fate.UNTOLD)
          && history.wasSent(request)
          && history.service(history.firstOp[request]) == service
          && !history.isQuery(request)
          && !evidence.options().isJournaled(history.id(history.firstOp[request]))) {
        if (size == found.length) {
          found = Arrays.copyOf(found, 2 * size);
        }
        found[size++] = request;
        untold += fate == Fate.UNTOLD ? 1 : 0;
      }
    }
    int[] sorted = ByKey.sorted(found, size, request -> history.firstInvoked[request]);
    int holes = 0;
    long[] provenBy = new long[order.last + 2];
    provenBy[order.last + 1] = Long.MAX_VALUE;
    for (int serial = order.last; serial >= 0; serial--) {
      long proven = provenBy[serial + 1];
      for (int i = order.queriesStart(serial); i < order.queriesEnd(serial); i++) {
        proven = Math.min(proven, history.firstAnswered[order.query(i)]);
      }
      int request = order.bySerial[serial];
      if (request >= 0) {
        proven = Math.min(proven, history.firstAnswered[request]);
      } else if (serial > 0) {
        holes++;
      }
      provenBy[serial] = proven;
    }
    return new Holes(history, sorted, provenBy, untold, holes);
  }

  int count() {
    return count;
  }

  int candidates() {
    return candidates.length;
  }

  /** Requests that executed without telling a serial. */
  int untold() {
    return untold;
  }

  int candidate(int index) {
    return candidates[index];
  }

  /** How many of the candidates, from the first on, were sent early enough for this serial. */
  int candidatesBefore(int serial) {
    int low = 0;
    int high = candidates.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (history.firstInvoked[candidates[middle]] <= provenBy[serial]) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
