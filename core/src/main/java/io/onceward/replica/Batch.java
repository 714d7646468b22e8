package io.onceward.replica;

import io.onceward.DamagedException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The requests of one entry, read and looked ahead for. */
final class Batch {
  private final List<LogEntry.Proposal> proposals;
  private final @Nullable Request[] requests;
  private final int[] rows;

  private final Warmth warmth = new Warmth();

  Batch(List<LogEntry.Proposal> proposals, RequestDecoder decoder) {
    this.proposals = proposals;
    this.requests = new @Nullable Request[proposals.size()];
    this.rows = new int[proposals.size()];
    for (int i = 0; i < requests.length; i++) {
      try {
        requests[i] = decoder.decode(proposals.get(i).frame());
      } catch (DamagedException e) {
        requests[i] = null;
      }
    }
  }

  int size() {
    return requests.length;
  }

  String principal(int ordinal) {
    return proposals.get(ordinal).principal();
  }

  /** The request, or null if its frame is malformed. */
  @Nullable Request request(int ordinal) {
    return requests[ordinal];
  }

  /**
   * Where the session, or perhaps the key, of a request stands; 0 if looking ahead found nothing.
   */
  int row(int ordinal) {
    return rows[ordinal];
  }

  /**
   * Reads what judging the requests will read. In a table of a million sessions each of these reads
   * misses every cache; taken together they overlap, taken one request after the other they add up.
   */
  void lookAhead(Principals principals, SessionStore sessions, KeyTable keys) {
    if (requests.length == 1) {
      return;
    }
    for (int i = 0; i < requests.length; i++) {
      if (requests[i] instanceof Request.InSession r) {
        if (!follows(i, r)) {
          warmth.add(sessions.touchIndex(r.address().session()));
        }
      } else if (requests[i] instanceof Request.Keyed r) {
        warmth.add(keys.touchIndex(principals.called(principal(i)), r.scope(), r.key()));
      }
    }
    for (int i = 0; i < requests.length; i++) {
      if (requests[i] instanceof Request.InSession r) {
        rows[i] = follows(i, r) ? rows[i - 1] : sessions.peek(r.address().session());
      } else if (requests[i] instanceof Request.Keyed r) {
        rows[i] = keys.peek(principals.called(principal(i)), r.scope(), r.key());
      }
    }
    for (int i = 0; i < requests.length; i++) {
      if (requests[i] instanceof Request.InSession r) {
        rows[i] = follows(i, r) ? rows[i - 1] : sessions.touchRow(rows[i], r.address().session());
      } else if (requests[i] instanceof Request.Keyed) {
        warmth.add(keys.touchRecord(rows[i]));
      }
    }
    for (int i = 0; i < requests.length; i++) {
      if (requests[i] instanceof Request.InSession r && !follows(i, r)) {
        warmth.add(sessions.touchReply(rows[i], r.sequence()));
      }
    }
  }

  /** Whether a request stands behind one of the same session: then nothing is to be warmed. */
  private boolean follows(int ordinal, Request.InSession request) {
    return ordinal > 0
        && requests[ordinal - 1] instanceof Request.InSession before
        && before.address().session() == request.address().session();
  }
}
