package io.onceward.replica;

import static io.onceward.replica.SessionRow.DECIDED_END;
import static io.onceward.replica.SessionRow.INCARNATION;
import static io.onceward.replica.SessionRow.LAST_ACTIVE;
import static io.onceward.replica.SessionRow.NAME;
import static io.onceward.replica.SessionRow.NONCE_HIGH;
import static io.onceward.replica.SessionRow.NONCE_LOW;
import static io.onceward.replica.SessionRow.OPTIONS;
import static io.onceward.replica.SessionRow.PRINCIPAL;
import static io.onceward.replica.SessionRow.RING;
import static io.onceward.replica.SessionRow.SESSION;
import static io.onceward.replica.SessionRow.WATERMARK;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The sessions of a {@link SessionStore} at one entry, and their bytes. They are written in the
 * order in which they were opened, whatever pages they happen to stand in, so that equal tables
 * write equal bytes (T1).
 */
final class SessionSnapshot {
  private static final int UNDECIDED = 0;
  private static final int ABANDONED = 1;
  private static final int EXECUTED = 2;
  private static final int KIND_MASK = 3;
  private static final int FLAG = 4;

  private final Blocks.View rows;
  private final Blocks.View blocks;

  SessionSnapshot(Blocks.View rows, Blocks.View blocks) {
    this.rows = rows;
    this.blocks = blocks;
  }

  private record Place(long session, int row) {}

  private int[] rowsInOrder() {
    List<Place> places = new ArrayList<>();
    rows.eachPlace(
        SessionRow.BYTES,
        row -> {
          if (longAt(row, INCARNATION) != 0) {
            places.add(new Place(longAt(row, SESSION), row));
          }
        });
    places.sort(Comparator.comparingLong(Place::session));
    return places.stream().mapToInt(Place::row).toArray();
  }

  void writeTo(SnapshotOutput out) throws IOException {
    int[] ordered = rowsInOrder();
    out.varint(ordered.length);
    for (int row : ordered) {
      write(row, out);
    }
  }

  private void write(int row, SnapshotOutput out) throws IOException {
    int options = intAt(row, OPTIONS);
    out.i64(longAt(row, SESSION));
    out.i64(longAt(row, INCARNATION));
    out.i64(longAt(row, NONCE_HIGH));
    out.i64(longAt(row, NONCE_LOW));
    out.varint(intAt(row, PRINCIPAL));
    out.u8(SessionRow.kind(options).code() | (SessionRow.isOrdered(options) ? FLAG : 0));
    out.varint(SessionRow.window(options));
    int name = intAt(row, NAME);
    out.bytes(name == 0 ? Bytes.EMPTY : Bytes.of(name(blocks.page(name), name)));
    if (isSuccessor(SessionRow.kind(options), longAt(row, SESSION), longAt(row, INCARNATION))) {
      out.i64(Lineage.predecessor(blocks.page(name), name));
      out.varint(Lineage.floor(blocks.page(name), name));
      out.varint(Lineage.bound(blocks.page(name), name));
    }
    out.varint(longAt(row, LAST_ACTIVE));
    long watermark = longAt(row, WATERMARK);
    out.varint(watermark);
    int decidedEnd = intAt(row, DECIDED_END);
    out.varint(decidedEnd);
    for (long sequence = watermark; sequence < watermark + decidedEnd; sequence++) {
      writeSlot(slot(row, sequence, SessionRow.ringBits(options)), out);
    }
  }

  /** Only a durable name that was taken over has a lineage to tell of. */
  private static boolean isSuccessor(ClientKind kind, long session, long incarnation) {
    return kind == ClientKind.DURABLE && incarnation != session;
  }

  private int slot(int row, long sequence, int ringBits) {
    int ring = intAt(row, RING);
    if (ringBits == 0) {
      return ring;
    }
    int at = Blocks.offset(ring) + Window.index(sequence, ringBits);
    return (int) Blocks.INT.get(blocks.page(ring), at);
  }

  private void writeSlot(int slot, SnapshotOutput out) throws IOException {
    if (!Window.isReply(slot)) {
      out.u8(slot == Window.ABANDONED ? ABANDONED : UNDECIDED);
      return;
    }
    byte[] page = blocks.page(slot);
    int at = Blocks.offset(slot);
    boolean fingerprinted = RememberedReply.hasFingerprint(page, at);
    Reply reply = RememberedReply.reply(page, at);
    out.u8(EXECUTED);
    out.u8(reply.kind().code() | (fingerprinted ? FLAG : 0));
    if (fingerprinted) {
      out.i64(RememberedReply.fingerprint(page, at));
    }
    out.varint(RememberedReply.position(page, at));
    out.varint(RememberedReply.timeMillis(page, at));
    out.bytes(reply.bytes());
  }

  static void read(SnapshotInput in, Replica replica) throws IOException {
    long count = in.number("number of sessions", 0, Integer.MAX_VALUE);
    long previous = 0;
    for (long i = 0; i < count; i++) {
      long at = in.offset();
      long session = in.i64();
      if (session <= previous) {
        throw in.damaged(at, "session " + session + " follows session " + previous);
      }
      readSession(in, session, replica);
      previous = session;
    }
  }

  private static void readSession(SnapshotInput in, long session, Replica replica)
      throws IOException {
    Principals principals = replica.principals;
    LogClock clock = replica.clock;
    SessionStore store = replica.sessions.store();
    long at = in.offset();
    long incarnation = in.i64();
    if (incarnation < session || incarnation >> Replica.ORDINAL_BITS > clock.position()) {
      throw in.damaged(
          at,
          "session "
              + session
              + " has the incarnation "
              + incarnation
              + " at position "
              + clock.position());
    }
    long nonceHigh = in.i64();
    long nonceLow = in.i64();
    Principal who =
        principals.numbered((int) in.number("principal of a session", 1, principals.count()));
    at = in.offset();
    int traits = in.u8();
    if (traits > (FLAG | ClientKind.AUTO.code()) || (traits & KIND_MASK) == KIND_MASK) {
      throw in.damaged(at, "traits of a session are " + traits);
    }
    ClientKind kind = ClientKind.ofCode(traits & KIND_MASK);
    int window = (int) in.number("window", 1, Parameter.MAX_WINDOW.most());
    at = in.offset();
    String name = in.utf8("name of a client", Limits.NAME_BYTES);
    if (name.isEmpty() != (kind == ClientKind.REGISTERED)) {
      throw in.damaged(at, RequestEncoder.nameRule(kind));
    }
    long[] lineage =
        isSuccessor(kind, session, incarnation) ? readLineage(in, session, incarnation) : null;
    long lastActive = in.number("last activity", 0, clock.ageMillis());
    long watermark = in.number("watermark", 1, Long.MAX_VALUE >> 1);
    int decidedEnd = (int) in.number("number of decided sequences", 0, window);
    Request.Open opening =
        new Request.Open(
            kind, name, nonceHigh, nonceLow, 0, 0, false, (traits & FLAG) != 0, window);
    int row = store.restore(who, opening, session, incarnation, lastActive, watermark);
    if (lineage != null) {
      store.lineage.set(row, lineage[0], lineage[1], lineage[2]);
    }
    for (long sequence = watermark; sequence < watermark + decidedEnd; sequence++) {
      readSlot(in, row, sequence, store, clock);
    }
  }

  private static long[] readLineage(SnapshotInput in, long session, long incarnation)
      throws IOException {
    long at = in.offset();
    long predecessor = in.i64();
    if (predecessor < session || predecessor >= incarnation) {
      throw in.damaged(at, "incarnation " + incarnation + " follows " + predecessor);
    }
    long most = Long.MAX_VALUE >> 1;
    long floor = in.number("first own sequence", 1, most);
    return new long[] {floor, predecessor, in.number("bound of the predecessor", 1, most)};
  }

  private static void readSlot(
      SnapshotInput in, int row, long sequence, SessionStore store, LogClock clock)
      throws IOException {
    long at = in.offset();
    int state = in.u8();
    if (state == UNDECIDED) {
      return;
    }
    if (state == ABANDONED) {
      store.abandon(row, sequence);
      return;
    }
    if (state != EXECUTED) {
      throw in.damaged(at, "a sequence has the state " + state + "; 0 to 2 are known");
    }
    at = in.offset();
    int shape = in.u8();
    if (shape > (FLAG | KIND_MASK)) {
      throw in.damaged(at, "a reply has the shape " + shape + "; 0 to 7 are known");
    }
    boolean fingerprinted = (shape & FLAG) != 0;
    long fingerprint = fingerprinted ? in.i64() : 0;
    long position = in.number("position", 0, clock.position());
    long timeMillis = in.number("log time", 0, clock.timeMillis());
    byte[] bytes = in.bytes("reply", (int) Parameter.MAX_REPLY_BYTES.most());
    Reply reply = new Reply(Reply.Kind.ofCode(shape & KIND_MASK), Bytes.of(bytes));
    store.execute(row, sequence, position, timeMillis, fingerprinted, fingerprint, reply);
  }

  static byte[] name(byte[] page, int block) {
    int at = Blocks.offset(block);
    int length = (int) Blocks.INT.get(page, at);
    return Arrays.copyOfRange(page, at + 4, at + 4 + length);
  }

  private long longAt(int row, int field) {
    return (long) Blocks.LONG.get(rows.page(row), Blocks.offset(row) + field);
  }

  private int intAt(int row, int field) {
    return (int) Blocks.INT.get(rows.page(row), Blocks.offset(row) + field);
  }
}
