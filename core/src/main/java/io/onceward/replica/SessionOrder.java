package io.onceward.replica;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * The numbers of the open sessions in the order of their opening, so that a page of them is read
 * without looking at any other: whoever lists sessions holds up everybody, and there may be a
 * million.
 *
 * <p>Numbers only grow, so new ones go to the end. Neighbours that fit into one chunk are merged,
 * so a session takes 16 bytes at most, but for the last few.
 */
final class SessionOrder {
  static final int CHUNK = 512;

  private static final class Chunk {
    private final long[] sessions = new long[CHUNK];
    private int count;
  }

  private final List<Chunk> chunks = new ArrayList<>();

  /** Takes a session that was opened after all others. */
  void add(long session) {
    Chunk last = chunks.isEmpty() ? null : chunks.get(chunks.size() - 1);
    if (last != null && last.sessions[last.count - 1] >= session) {
      throw new IllegalStateException(
          "session " + session + " cannot follow session " + last.sessions[last.count - 1]);
    }
    if (last == null || last.count == CHUNK) {
      last = new Chunk();
      chunks.add(last);
    }
    last.sessions[last.count++] = session;
  }

  void remove(long session) {
    int number = chunkOf(session);
    Chunk chunk = number < 0 ? new Chunk() : chunks.get(number);
    int at = Arrays.binarySearch(chunk.sessions, 0, chunk.count, session);
    if (at < 0) {
      throw new IllegalStateException("session " + session + " is not in the order");
    }
    System.arraycopy(chunk.sessions, at + 1, chunk.sessions, at, chunk.count - at - 1);
    chunk.count--;
    if (chunk.count == 0) {
      chunks.remove(number);
    } else {
      mergeIfSmall(number);
      mergeIfSmall(number - 1);
    }
  }

  /** Moves the sessions of the next chunk into this one if all of them fit. */
  private void mergeIfSmall(int number) {
    if (number < 0 || number + 1 >= chunks.size()) {
      return;
    }
    Chunk chunk = chunks.get(number);
    Chunk next = chunks.get(number + 1);
    if (chunk.count + next.count <= CHUNK) {
      System.arraycopy(next.sessions, 0, chunk.sessions, chunk.count, next.count);
      chunk.count += next.count;
      chunks.remove(number + 1);
    }
  }

  /** Visits the first sessions that were opened after this one, at most so many, and no other. */
  void visit(long after, int most, LongConsumer visitor) {
    int number = Math.max(chunkOf(after), 0);
    int left = most;
    boolean first = true;
    for (; number < chunks.size() && left > 0; number++) {
      Chunk chunk = chunks.get(number);
      int at = first ? firstAfter(chunk, after) : 0;
      first = false;
      for (; at < chunk.count && left > 0; at++, left--) {
        visitor.accept(chunk.sessions[at]);
      }
    }
  }

  private static int firstAfter(Chunk chunk, long session) {
    int at = Arrays.binarySearch(chunk.sessions, 0, chunk.count, session);
    return at < 0 ? -at - 1 : at + 1;
  }

  /** The last chunk that begins with this session or an earlier one; -1 if all are later. */
  private int chunkOf(long session) {
    int low = 0;
    int high = chunks.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (chunks.get(middle).sessions[0] <= session) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high;
  }

  /** How many chunks there are. */
  int chunks() {
    return chunks.size();
  }
}
