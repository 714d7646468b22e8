package io.onceward.replica;

import io.onceward.Bytes;
import io.onceward.Key;
import io.onceward.Reply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where key records live: chunks to which records are appended in the order of their arrival, one
 * row of chunks per retention class. A record is named by an {@code int}, its chunk and its place
 * there; compaction moves records, and tells.
 *
 * <p>A frozen view is the list of chunks with the places where they ended: appending writes behind
 * those, and a chunk that is written in its midst is copied first.
 */
final class KeyJournal {
  private static final int CHUNK_BYTES = 1 << 16;
  private static final int PLACE_BITS = 15;
  private static final int LOOK_AHEAD = 64;
  private static final int SETTLED_CHUNKS_PER_ENTRY = 8;
  private static final int MAX_CHUNKS = 1 << (32 - PLACE_BITS);

  /** So many records fit whatever their shapes, since a chunk holds at least this share of them. */
  static final int MAX_RECORDS =
      MAX_CHUNKS / 8 * 7 * (CHUNK_BYTES / (KeyRecord.MOST_BYTES + KeyRecord.MARK_BYTES));

  /** Hears that a record got another name. */
  interface Moves {
    void moved(KeyRecord record, int from, int to);
  }

  private final Blocks replies = new Blocks();
  private Chunk[] chunks = new Chunk[16];
  private byte[][] bytes = new byte[16][];
  private int[] vacant = new int[16];
  private int vacantCount;
  private int chunkCount = 1;
  private int epoch;
  private int tidied;

  /** The chunks of the round of {@link #settle} that is under way, and the next of them. */
  private int roundEnd;

  private int roundNext;
  private final long[] hashesAhead = new long[LOOK_AHEAD];
  private final Warmth warmth = new Warmth();
  private final KeyRecord cursor = new KeyRecord();

  /** A chunk as it was at {@link #freeze}. */
  record ChunkView(byte[] bytes, int start, int end, long basePosition, long baseTime) {}

  List<ChunkView> freeze(RetentionClass retention) {
    List<ChunkView> views = new ArrayList<>(retention.chunks.size());
    for (Chunk chunk : retention.chunks) {
      views.add(
          new ChunkView(chunk.bytes, chunk.start, chunk.end, chunk.basePosition, chunk.baseTime));
    }
    return views;
  }

  /** The replies that stand outside their records. From now on what views show is not changed. */
  Blocks.View freezeReplies() {
    epoch++;
    return replies.freeze();
  }

  /** The reply of an executed record, copied. */
  Reply reply(KeyRecord record) {
    Bytes bytes =
        record.isReplyOutside()
            ? Bytes.of(
                replies.page(record.replyBlock()),
                Blocks.offset(record.replyBlock()),
                record.replyLength())
            : record.replyBytes();
    return new Reply(Reply.Kind.ofCode(record.state()), Bytes.of(bytes.toArray()));
  }

  private int storeOutside(Bytes reply) {
    if (reply.length() <= KeyRecord.LONGEST_INSIDE) {
      return 0;
    }
    int block = replies.allocate(reply.length());
    reply.copyTo(replies.writable(block), Blocks.offset(block));
    return block;
  }

  private void freeOutside(KeyRecord record) {
    if (record.isExecuted() && record.isReplyOutside()) {
      replies.free(record.replyBlock());
    }
  }

  void moveTo(int ref, KeyRecord record) {
    record.moveTo(bytes[ref >>> PLACE_BITS], place(ref));
  }

  void moveToIdentity(int ref, KeyRecord record) {
    record.moveToIdentity(bytes[ref >>> PLACE_BITS], place(ref));
  }

  long touch(int ref) {
    return bytes[ref >>> PLACE_BITS][place(ref)];
  }

  Chunk chunkOf(int ref) {
    return chunks[ref >>> PLACE_BITS];
  }

  int appendExecuted(
      RetentionClass retention,
      long due,
      long position,
      long timeMillis,
      int scope,
      Key key,
      boolean fingerprinted,
      long fingerprint,
      Reply reply) {
    Chunk chunk = tail(retention, due, position, timeMillis);
    int at = chunk.end;
    chunk.end =
        KeyRecord.writeExecuted(
            chunk.bytes,
            at,
            scope,
            key,
            fingerprinted,
            fingerprint,
            position - chunk.basePosition,
            timeMillis - chunk.baseTime,
            reply,
            storeOutside(reply.bytes()));
    chunk.records++;
    return name(chunk, at);
  }

  /**
   * Appends a key that has no reply: {@link KeyRecord#ABANDONED} or {@link KeyRecord#TOMBSTONE}.
   */
  int appendSlim(
      RetentionClass retention,
      long due,
      long position,
      long timeMillis,
      int state,
      int scope,
      Key key) {
    Chunk chunk = tail(retention, due, position, timeMillis);
    int at = chunk.end;
    chunk.end = KeyRecord.writeSlim(chunk.bytes, at, state, scope, key);
    chunk.records++;
    return name(chunk, at);
  }

  /** Drops the reply of a record; its place is won back when the chunk is compacted. */
  void bury(int ref, KeyRecord record, Moves moves) {
    freeOutside(record);
    Chunk chunk = chunkOf(ref);
    byte[] writable = writable(chunk);
    KeyRecord.bury(writable, place(ref));
    record.moveTo(writable, place(ref));
    chunk.garbage += record.end() - record.start() - record.slimLength();
    if (chunk.garbage * 4 > chunk.end - chunk.start && !isTail(chunk)) {
      compact(chunk, moves);
    }
  }

  /** Hears of each record that is dropped, before it is gone. */
  interface Drops {
    long hash(KeyRecord record);

    /** Reads where the index will be searched for this hash, so that it is in the cache then. */
    long touch(long hash);

    /** Reads what the index has there, for the same reason. */
    long seek(long hash);

    /**
     * A record goes.
     *
     * @param arrivedMillis when it arrived, at the latest, in log time
     */
    void dropped(KeyRecord record, int ref, long hash, long arrivedMillis);
  }

  /** Drops, oldest first, every record that is due before this quantum of age. */
  long dropDueBefore(RetentionClass retention, long quantum, Drops drops) {
    return drop(retention, quantum, Long.MIN_VALUE, drops);
  }

  /** Drops, oldest first, every record that arrived before this quantum of log time. */
  long dropArrivedBefore(RetentionClass retention, long quantum, Drops drops) {
    return drop(retention, Long.MIN_VALUE, quantum, drops);
  }

  private long drop(RetentionClass retention, long due, long time, Drops drops) {
    long count = 0;
    Chunk chunk = retention.chunks.peekFirst();
    int ahead = 0;
    int next = 0;
    long arrivedMillis = retention.droppedMillis;
    while (chunk != null) {
      cursor.moveTo(chunk.bytes, chunk.start);
      if (cursor.isMark()) {
        if (cursor.markDue() >= due && cursor.markTime() >= time) {
          return count;
        }
        arrivedMillis = lastMillis(cursor.markTime());
        retention.droppedMillis = Math.max(retention.droppedMillis, arrivedMillis);
      } else {
        if (next == ahead) {
          ahead = lookAhead(chunk, drops);
          next = 0;
          cursor.moveTo(chunk.bytes, chunk.start);
        }
        drops.dropped(cursor, name(chunk, chunk.start), hashesAhead[next++], arrivedMillis);
        freeOutside(cursor);
        chunk.records--;
        chunk.garbage -= cursor.end() - cursor.start() - cursor.slimLength();
        count++;
      }
      chunk.start = cursor.end();
      if (chunk.start == chunk.end) {
        retention.chunks.removeFirst();
        vacate(chunk);
        chunk = retention.chunks.peekFirst();
      }
    }
    retention.lastDue = -1;
    retention.lastTime = -1;
    return count;
  }

  /** Hashes the next records up to a mark and warms the cache for them; returns how many. */
  private int lookAhead(Chunk chunk, Drops drops) {
    int count = 0;
    for (int at = chunk.start; at < chunk.end && count < LOOK_AHEAD; at = cursor.end()) {
      cursor.moveTo(chunk.bytes, at);
      if (cursor.isMark()) {
        break;
      }
      hashesAhead[count++] = drops.hash(cursor);
    }
    for (int i = 0; i < count; i++) {
      warmth.add(drops.touch(hashesAhead[i]));
    }
    for (int i = 0; i < count; i++) {
      warmth.add(drops.seek(hashesAhead[i]));
    }
    return count;
  }

  /** How many records {@link #dropDueBefore} would drop. */
  long countDueBefore(RetentionClass retention, long quantum) {
    return count(retention, quantum, Long.MIN_VALUE);
  }

  /** How many records {@link #dropArrivedBefore} would drop. */
  long countArrivedBefore(RetentionClass retention, long quantum) {
    return count(retention, Long.MIN_VALUE, quantum);
  }

  private long count(RetentionClass retention, long due, long time) {
    long count = 0;
    for (Chunk chunk : retention.chunks) {
      if (chunk.lastDue < due || chunk.lastTime < time) {
        count += chunk.records;
        continue;
      }
      for (int at = chunk.start; at < chunk.end; at = cursor.end()) {
        cursor.moveTo(chunk.bytes, at);
        if (!cursor.isMark()) {
          count++;
        } else if (cursor.markDue() >= due && cursor.markTime() >= time) {
          return count;
        }
      }
    }
    return count;
  }

  /** Compacts some chunks that have a little garbage each; for quiet moments. */
  void tidy(int most, Moves moves) {
    for (int i = 0; i < most && i < chunkCount; i++) {
      tidied = tidied + 1 >= chunkCount ? 1 : tidied + 1;
      Chunk chunk = chunks[tidied];
      if (chunk != null && chunk.garbage * 64 > chunk.end - chunk.start && !isTail(chunk)) {
        compact(chunk, moves);
      }
    }
  }

  /**
   * Moves replies out of sparse pages, those of some chunks at each entry, so that the memory that
   * is held stays within a small factor of what lives. To be called between entries.
   */
  void settle() {
    if (roundNext == roundEnd) {
      if (!replies.isWasteful()) {
        return;
      }
      replies.leaveSparsePages();
      roundNext = 1;
      roundEnd = chunkCount;
    }
    int end = Math.min(roundNext + SETTLED_CHUNKS_PER_ENTRY, roundEnd);
    for (; roundNext < end; roundNext++) {
      Chunk chunk = chunks[roundNext];
      if (chunk != null) {
        settle(chunk);
      }
    }
  }

  private void settle(Chunk chunk) {
    for (int at = chunk.start; at < chunk.end; at = cursor.end()) {
      cursor.moveTo(chunk.bytes, at);
      if (!cursor.isMark()
          && cursor.isExecuted()
          && cursor.isReplyOutside()
          && replies.isLeaving(cursor.replyBlock())) {
        int block = replies.move(cursor.replyBlock());
        cursor.setReplyBlock(writable(chunk), block);
      }
    }
  }

  /** The memory of chunks and of the pages of replies. */
  long heldBytes() {
    long held = replies.heldBytes();
    for (int number = 1; number < chunkCount; number++) {
      held += bytes[number] == null ? 0 : bytes[number].length;
    }
    return held;
  }

  private Chunk tail(RetentionClass retention, long due, long position, long timeMillis) {
    long time = KeyTable.timeQuantum(timeMillis);
    boolean marked = retention.lastDue == due && retention.lastTime == time;
    int needed = KeyRecord.MOST_BYTES + KeyRecord.MARK_BYTES;
    Chunk chunk = retention.chunks.peekLast();
    if (chunk == null || chunk.end + needed > chunk.bytes.length) {
      chunk = newChunk(retention, position, timeMillis);
      retention.chunks.addLast(chunk);
    }
    if (!marked) {
      chunk.end = KeyRecord.writeMark(chunk.bytes, chunk.end, due, time);
      retention.lastDue = due;
      retention.lastTime = time;
    }
    chunk.lastDue = due;
    chunk.lastTime = time;
    return chunk;
  }

  private Chunk newChunk(RetentionClass retention, long position, long timeMillis) {
    int number = vacantCount > 0 ? vacant[--vacantCount] : chunkCount++;
    if (number == MAX_CHUNKS) {
      throw new IllegalStateException("the key table needs more than " + MAX_CHUNKS + " chunks");
    }
    if (number >= chunks.length) {
      chunks = Arrays.copyOf(chunks, number * 2);
      bytes = Arrays.copyOf(bytes, number * 2);
    }
    Chunk chunk = new Chunk(number, retention, position, timeMillis, new byte[CHUNK_BYTES], epoch);
    chunks[number] = chunk;
    bytes[number] = chunk.bytes;
    return chunk;
  }

  private void vacate(Chunk chunk) {
    chunks[chunk.number] = null;
    bytes[chunk.number] = null;
    if (vacantCount == vacant.length) {
      vacant = Arrays.copyOf(vacant, vacantCount * 2);
    }
    vacant[vacantCount++] = chunk.number;
  }

  private void compact(Chunk chunk, Moves moves) {
    byte[] target = new byte[chunk.end - chunk.start - chunk.garbage];
    int to = 0;
    for (int at = chunk.start; at < chunk.end; at = cursor.end()) {
      cursor.moveTo(chunk.bytes, at);
      int next = cursor.copyTo(target, to);
      if (!cursor.isMark() && to != at) {
        moves.moved(cursor, name(chunk, at), name(chunk, to));
      }
      to = next;
    }
    chunk.bytes = target;
    bytes[chunk.number] = target;
    chunk.start = 0;
    chunk.end = to;
    chunk.garbage = 0;
    chunk.epoch = epoch;
  }

  private byte[] writable(Chunk chunk) {
    if (chunk.epoch != epoch) {
      chunk.epoch = epoch;
      chunk.bytes = chunk.bytes.clone();
      bytes[chunk.number] = chunk.bytes;
    }
    return chunk.bytes;
  }

  private static boolean isTail(Chunk chunk) {
    return chunk.retention.chunks.peekLast() == chunk;
  }

  private static int name(Chunk chunk, int at) {
    return chunk.number << PLACE_BITS | at >> 1;
  }

  private static int place(int ref) {
    return (ref & ((1 << PLACE_BITS) - 1)) << 1;
  }

  private static long lastMillis(long timeQuantum) {
    return (timeQuantum + 1 << KeyTable.QUANTUM_BITS) - 1;
  }
}
