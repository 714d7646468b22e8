package io.onceward.replica;

import io.onceward.Bytes;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.Scope;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The records of a {@link KeyTable} at one entry, and their bytes. Each retention class is written
 * in the order of arrival; scopes are numbered as they first appear, so that nothing of this node's
 * layout shows (T1).
 */
final class KeySnapshot {
  private static final int END = 0;
  private static final int MARK = 1;
  private static final int RECORD = 2;
  private static final int STATE_SHIFT = 2;
  private static final int FINGERPRINT_BIT = 1 << 5;
  private static final int MOST_SHAPE = FINGERPRINT_BIT | KeyRecord.ABANDONED << STATE_SHIFT | 3;

  /**
   * Memory is taken for at most so many times the keys that were seen, whatever number is claimed.
   */
  private static final int RESERVE_FACTOR = 16;

  private static final long FIRST_RESERVED = 1_000;

  private final List<List<KeyJournal.ChunkView>> chunksOfClasses;
  private final Blocks.View replies;
  private final Scopes.@Nullable Entry[] scopes;
  private final int records;

  KeySnapshot(
      List<List<KeyJournal.ChunkView>> chunksOfClasses,
      Blocks.View replies,
      Scopes.@Nullable Entry[] scopes,
      int records) {
    this.chunksOfClasses = chunksOfClasses;
    this.replies = replies;
    this.scopes = scopes;
    this.records = records;
  }

  void writeTo(SnapshotOutput out) throws IOException {
    out.varint(records);
    int[] written = new int[scopes.length];
    int scopesWritten = 0;
    KeyRecord record = new KeyRecord();
    for (List<KeyJournal.ChunkView> chunks : chunksOfClasses) {
      long position = 0;
      long time = 0;
      for (KeyJournal.ChunkView chunk : chunks) {
        for (int at = chunk.start(); at < chunk.end(); at = record.end()) {
          record.moveTo(chunk.bytes(), at);
          if (record.isMark()) {
            out.u8(MARK);
            out.varint(record.markDue());
            out.varint(record.markTime());
            continue;
          }
          out.u8(RECORD);
          boolean introduce = written[record.scope()] == 0;
          if (introduce) {
            written[record.scope()] = ++scopesWritten;
          }
          out.varint(written[record.scope()]);
          if (introduce) {
            introduce(record.scope(), out);
          }
          writeIdentity(record, out);
          if (record.isExecuted()) {
            long executedAt = chunk.basePosition() + record.positionDelta();
            long executedTime = chunk.baseTime() + record.timeDelta();
            out.varint(executedAt - position);
            out.varint(executedTime - time);
            out.bytes(replyBytes(record));
            position = executedAt;
            time = executedTime;
          }
        }
      }
      out.u8(END);
    }
  }

  private Bytes replyBytes(KeyRecord record) {
    if (!record.isReplyOutside()) {
      return record.replyBytes();
    }
    int block = record.replyBlock();
    return Bytes.of(replies.page(block), Blocks.offset(block), record.replyLength());
  }

  private void introduce(int number, SnapshotOutput out) throws IOException {
    Scopes.Entry entry = scopes[number];
    if (entry == null) {
      throw new IllegalStateException("a record is in scope " + number + ", which is gone");
    }
    out.varint(entry.principal.number);
    out.utf8("scope", entry.scope.name(), Limits.SCOPE_BYTES);
  }

  private static void writeIdentity(KeyRecord record, SnapshotOutput out) throws IOException {
    boolean fingerprinted = record.isExecuted() && record.isFingerprinted();
    out.u8(record.kind() | record.state() << STATE_SHIFT | (fingerprinted ? FINGERPRINT_BIT : 0));
    out.i64(record.high());
    out.i64(record.low());
    if (fingerprinted) {
      out.i64(record.fingerprint());
    }
  }

  /** Reads all records of all classes into an empty table. */
  static void read(SnapshotInput in, Replica replica) throws IOException {
    long at = in.offset();
    long records = in.number("number of keys", 0, KeyJournal.MAX_RECORDS);
    Reader reader = new Reader(in, replica, records);
    for (RetentionClass retention : replica.keys.scopes().retentions()) {
      reader.readClass(retention);
    }
    if (replica.keys.size() != records) {
      throw in.damaged(at, records + " keys should follow, there are " + replica.keys.size());
    }
  }

  private record KnownScope(Principal principal, Scope scope) {}

  private static final class Reader {
    private final SnapshotInput in;
    private final KeyTable table;
    private final Principals principals;
    private final LogClock clock;
    private final List<KnownScope> known = new ArrayList<>();
    private long due;
    private long arrivedMillis;
    private long position;
    private long timeMillis;
    private final long records;
    private long reserved;

    Reader(SnapshotInput in, Replica replica, long records) {
      this.records = records;
      this.in = in;
      this.table = replica.keys;
      this.principals = replica.principals;
      this.clock = replica.clock;
    }

    void readClass(RetentionClass retention) throws IOException {
      due = -1;
      arrivedMillis = 0;
      position = 0;
      timeMillis = 0;
      while (true) {
        long at = in.offset();
        int next = in.u8();
        if (next == END) {
          return;
        }
        if (next == MARK) {
          due = in.number("end of retention", Math.max(0, due), Long.MAX_VALUE);
          long quantum = in.number("arrival", 0, KeyTable.timeQuantum(clock.timeMillis()));
          arrivedMillis = quantum << KeyTable.QUANTUM_BITS;
        } else if (next == RECORD && due >= 0) {
          readRecord(retention);
        } else {
          throw in.damaged(at, "a key record begins with " + next);
        }
      }
    }

    private void readRecord(RetentionClass retention) throws IOException {
      if (table.size() == reserved && reserved < records) {
        reserved = Math.min(records, Math.max(FIRST_RESERVED, reserved * RESERVE_FACTOR));
        table.reserve(reserved);
      }
      KnownScope scope = readScope();
      long at = in.offset();
      int shape = in.u8();
      int state = shape >> STATE_SHIFT & 7;
      if (shape > MOST_SHAPE || state > KeyRecord.ABANDONED) {
        throw in.damaged(at, "a key record has the shape " + shape);
      }
      boolean fingerprinted = (shape & FINGERPRINT_BIT) != 0;
      Key key = readKey(shape & 3);
      long fingerprint = fingerprinted ? in.i64() : 0;
      if (state >= KeyRecord.TOMBSTONE) {
        table.rememberSlim(
            scope.principal(), scope.scope(), key, retention, due, position, arrivedMillis, state);
        return;
      }
      position += in.number("position", 0, clock.position() - position);
      timeMillis += in.number("log time", 0, clock.timeMillis() - timeMillis);
      if (KeyTable.timeQuantum(timeMillis) != KeyTable.timeQuantum(arrivedMillis)) {
        throw in.damaged(at, "a key record does not stand behind the mark of its log time");
      }
      byte[] bytes = in.bytes("reply", (int) Parameter.MAX_REPLY_BYTES.most());
      table.rememberExecuted(
          scope.principal(),
          scope.scope(),
          key,
          retention,
          due,
          position,
          timeMillis,
          fingerprinted,
          fingerprint,
          new Reply(Reply.Kind.ofCode(state), Bytes.of(bytes)));
    }

    private KnownScope readScope() throws IOException {
      int number = (int) in.number("scope", 1, known.size() + 1L);
      if (number > known.size()) {
        Principal who =
            principals.numbered((int) in.number("principal of a scope", 1, principals.count()));
        long at = in.offset();
        String name = in.utf8("scope", Limits.SCOPE_BYTES);
        try {
          known.add(new KnownScope(who, new Scope(name)));
        } catch (IllegalArgumentException e) {
          throw in.damaged(at, String.valueOf(e.getMessage()));
        }
      }
      return known.get(number - 1);
    }

    private Key readKey(int kind) throws IOException {
      long at = in.offset();
      try {
        return Key.of(Key.Kind.ofCode(kind), in.i64(), in.i64());
      } catch (IllegalArgumentException e) {
        throw in.damaged(at, String.valueOf(e.getMessage()));
      }
    }
  }
}
