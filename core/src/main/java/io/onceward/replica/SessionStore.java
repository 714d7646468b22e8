package io.onceward.replica;

import static io.onceward.replica.SessionRow.DECIDED_END;
import static io.onceward.replica.SessionRow.FRONTIER;
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

import io.onceward.ClientKind;
import io.onceward.Reply;
import io.onceward.replica.Replica.SessionView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where sessions live: rows in pages, indexes by number, nonce and name, the expiry wheel, and the
 * accounts. It keeps these in step and knows no rule; {@link SessionTable} has those.
 */
final class SessionStore {
  private final Parameters parameters;
  private final Principals principals;
  private final Room room;
  private final Hash hash;
  private final Blocks rowBlocks = new Blocks();
  private final Blocks blocks = new Blocks();
  final Rows rows = new Rows(rowBlocks);
  final Window window = new Window(rows, blocks);
  final Lineage lineage = new Lineage(rows, blocks);
  private final SessionOrder order = new SessionOrder();
  private final ExpiryWheel wheel = new ExpiryWheel(rows);
  private final SessionCompaction compaction = new SessionCompaction(this, rowBlocks, blocks);
  private final Warmth warmth = new Warmth();
  private long ageMillis;

  private final HashIndex bySession =
      new HashIndex() {
        @Override
        long hashOf(int row) {
          return hash.of(rows.longAt(row, SESSION));
        }

        @Override
        long touchRow(int row) {
          return rows.longAt(row, SESSION);
        }
      };

  /** Registered sessions by nonce; named ones are found by name. */
  private final HashIndex byNonce =
      new HashIndex() {
        @Override
        long hashOf(int row) {
          return nonceHash(row);
        }

        @Override
        long touchRow(int row) {
          return rows.longAt(row, NONCE_LOW);
        }
      };

  private final HashIndex byName =
      new HashIndex() {
        @Override
        long hashOf(int row) {
          return nameHash(rows.intAt(row, PRINCIPAL), kind(row), name(row));
        }

        @Override
        long touchRow(int row) {
          return rows.intAt(row, PRINCIPAL);
        }
      };

  SessionStore(Parameters parameters, Principals principals, Room room, Hash hash) {
    this.parameters = parameters;
    this.principals = principals;
    this.room = room;
    this.hash = hash;
  }

  int size() {
    return bySession.size();
  }

  // ---- looking ahead --------------------------------------------------------------------------
  // A batch is walked several times before it is judged, each time one step further, so that the
  // cache misses of its requests overlap. What is read here decides nothing.

  long touchIndex(long session) {
    return bySession.touch(hash.of(session));
  }

  /** A row that may be the session's. */
  int peek(long session) {
    return bySession.peek(hash.of(session));
  }

  /** Reads the row that {@link #peek} found; returns it, or the right one if it was another's. */
  int touchRow(int row, long session) {
    if (row == 0) {
      return 0;
    }
    warmth.add(rows.intAt(row, OPTIONS));
    return rows.longAt(row, SESSION) == session ? row : locate(session);
  }

  /**
   * The row of a session, to be handed to {@link SessionTable#judge} as a hint; 0 if there is none.
   */
  int locate(long session) {
    int row = bySession.first(hash.of(session));
    while (row != 0 && rows.longAt(row, SESSION) != session) {
      row = bySession.next();
    }
    return row;
  }

  long touchReply(int row, long sequence) {
    if (row == 0) {
      return 0;
    }
    int slot = rows.intAt(row, RING);
    int bits = SessionRow.ringBits(rows.intAt(row, OPTIONS));
    if (bits != 0) {
      int at = Blocks.offset(slot) + Window.index(sequence, bits);
      return (int) Blocks.INT.get(blocks.page(slot), at);
    }
    return Window.isReply(slot) ? RememberedReply.touch(blocks.page(slot), Blocks.offset(slot)) : 0;
  }

  // ---- coming and going -----------------------------------------------------------------------

  /** A new session, with nothing decided. */
  int enter(Principal who, Request.Open opening, byte[] name, long incarnation, int asked) {
    int row = rowBlocks.allocate(SessionRow.BYTES);
    rows.setLong(row, SESSION, incarnation);
    rows.setLong(row, INCARNATION, incarnation);
    rows.setLong(row, NONCE_HIGH, opening.nonceHigh());
    rows.setLong(row, NONCE_LOW, opening.nonceLow());
    rows.setInt(row, PRINCIPAL, who.number);
    rows.setInt(row, NAME, name.length == 0 ? 0 : storeName(name, opening.kind()));
    rows.setInt(row, OPTIONS, SessionRow.options(asked, opening.kind(), opening.ordered()));
    rows.setInt(row, RING, Window.UNDECIDED);
    if (opening.kind() == ClientKind.DURABLE) {
      lineage.begin(row);
    }
    startWindow(row);
    touch(row);
    admit(row, who, name);
    return row;
  }

  /** Puts a complete row into the indexes, the wheel and the accounts. */
  private void admit(int row, Principal who, byte[] name) {
    ClientKind kind = kind(row);
    bySession.add(hash.of(rows.longAt(row, SESSION)), row);
    order.add(rows.longAt(row, SESSION));
    if (kind == ClientKind.REGISTERED) {
      byNonce.add(nonceHash(row), row);
    } else {
      byName.add(nameHash(who.number, kind, name), row);
    }
    wheel.place(row, dueQuantum(row));
    who.sessions++;
    room.charge(who, Room.session(kind, name.length));
  }

  // ---- sequences ------------------------------------------------------------------------------

  /** Remembers the reply of a sequence, in the same step as its effect. */
  void execute(
      int row,
      long sequence,
      long position,
      long timeMillis,
      boolean fingerprinted,
      long fingerprint,
      Reply reply) {
    room.charge(owner(row), reachCost(row, sequence) + reply.bytes().length());
    int slot =
        RememberedReply.store(blocks, position, timeMillis, fingerprinted, fingerprint, reply);
    window.decide(row, sequence, slot);
  }

  void abandon(int row, long sequence) {
    room.charge(owner(row), reachCost(row, sequence));
    window.decide(row, sequence, Window.ABANDONED);
  }

  /**
   * What deciding a sequence costs beyond its reply. Every sequence from the watermark to the
   * highest decided one is paid for, holes too: they take up the ring.
   */
  long reachCost(int row, long sequence) {
    return Math.max(0, sequence + 1 - window.nextSequence(row)) * Room.SEQUENCE;
  }

  boolean hasFingerprint(int slot) {
    return RememberedReply.hasFingerprint(blocks.page(slot), Blocks.offset(slot));
  }

  /** Whether a copy that carries this fingerprint asks what the slot's sequence executed (E7). */
  boolean matches(int slot, boolean fingerprinted, long fingerprint) {
    return RememberedReply.matches(
        blocks.page(slot), Blocks.offset(slot), fingerprinted, fingerprint);
  }

  Verdict.Replay replay(int slot) {
    byte[] page = blocks.page(slot);
    int at = Blocks.offset(slot);
    return new Verdict.Replay(
        RememberedReply.reply(page, at),
        RememberedReply.position(page, at),
        RememberedReply.timeMillis(page, at));
  }

  /** Drops what the client has taken; false if that would pass an undecided sequence. */
  boolean moveWatermark(int row, long watermark) {
    long passed = watermark - window.watermark(row);
    if (passed <= 0) {
      return true;
    }
    if (watermark > window.frontier(row)) {
      return false;
    }
    Principal owner = owner(row);
    for (; passed > 0; passed--) {
      release(window.passOne(row), owner);
    }
    return true;
  }

  private void release(int slot, Principal owner) {
    int length = 0;
    if (Window.isReply(slot)) {
      length = RememberedReply.length(blocks.page(slot), Blocks.offset(slot));
      blocks.free(slot);
    }
    room.charge(owner, -Room.SEQUENCE - length);
  }

  void emptyWindow(int row) {
    Principal owner = owner(row);
    for (long left = window.nextSequence(row) - window.watermark(row); left > 0; left--) {
      release(window.passOne(row), owner);
    }
  }

  void startWindow(int row) {
    rows.setLong(row, WATERMARK, 1);
    rows.setInt(row, FRONTIER, 0);
    rows.setInt(row, DECIDED_END, 0);
  }

  // ---- expiry ---------------------------------------------------------------------------------

  /** Takes the age of the entry that is about to be applied, and drops what is due (S7). */
  void expire(long ageMillis) {
    this.ageMillis = ageMillis;
    for (int chain = wheel.due(ageMillis); chain != 0; chain = wheel.due(ageMillis)) {
      int row = chain;
      while (row != 0) {
        int next = wheel.next(row);
        long due = dueQuantum(row);
        if (due < ExpiryWheel.quantum(ageMillis)) {
          drop(row);
        } else {
          wheel.place(row, due);
        }
        row = next;
      }
    }
    compaction.step();
  }

  /**
   * A timeout changed: its sessions are due at another time. A shorter one counts from now at the
   * earliest, because clients that keep alive by the longer one cannot know of it yet, and would
   * all be dropped at once. Nobody lives longer for it than by the timeout before, unless that is
   * set again: who shortens a timeout and takes it back prolongs idle sessions by the difference.
   */
  void expiryChanged(Parameter timeout, long shorterByMillis) {
    wheel.restart(ageMillis);
    rowBlocks
        .view()
        .eachPlace(
            SessionRow.BYTES,
            row -> {
              if (rows.longAt(row, INCARNATION) != 0) {
                if (shorterByMillis > 0 && timeoutOf(row) == timeout) {
                  long active = rows.longAt(row, LAST_ACTIVE) + shorterByMillis;
                  rows.setLong(row, LAST_ACTIVE, Math.min(active, ageMillis));
                }
                wheel.place(row, dueQuantum(row));
              }
            });
  }

  private long dueQuantum(int row) {
    return ExpiryWheel.quantum(rows.longAt(row, LAST_ACTIVE) + parameters.value(timeoutOf(row)));
  }

  private Parameter timeoutOf(int row) {
    return kind(row) == ClientKind.DURABLE
        ? Parameter.DURABLE_EXPIRY_MILLIS
        : Parameter.SESSION_EXPIRY_MILLIS;
  }

  // ---- snapshots ------------------------------------------------------------------------------

  /** All sessions as they are now. */
  SessionSnapshot freeze() {
    return new SessionSnapshot(rowBlocks.freeze(), blocks.freeze());
  }

  /** Takes a session out of a snapshot; its decided sequences follow. */
  int restore(
      Principal who,
      Request.Open opening,
      long session,
      long incarnation,
      long lastActive,
      long watermark) {
    byte[] name = opening.name().getBytes(StandardCharsets.UTF_8);
    int row = enter(who, opening, name, session, opening.window());
    wheel.remove(row);
    rows.setLong(row, INCARNATION, incarnation);
    rows.setLong(row, LAST_ACTIVE, lastActive);
    rows.setLong(row, WATERMARK, watermark);
    wheel.place(row, dueQuantum(row));
    return row;
  }

  /** Takes the age of a snapshot, before its sessions. */
  void restoreAge(long ageMillis) {
    this.ageMillis = ageMillis;
    wheel.restart(ageMillis);
  }

  // ---- what can be told -----------------------------------------------------------------------

  /** The first sessions that were opened after this one, in the order of their opening. */
  List<SessionView> views(long after, int most) {
    List<SessionView> views = new ArrayList<>();
    order.visit(after, most, session -> views.add(view(locate(session))));
    return views;
  }

  SessionView view(int row) {
    int options = rows.intAt(row, OPTIONS);
    return new SessionView(
        SessionRow.kind(options),
        owner(row).name,
        new String(name(row), StandardCharsets.UTF_8),
        rows.longAt(row, SESSION),
        rows.longAt(row, INCARNATION),
        window.watermark(row),
        window.nextSequence(row),
        SessionRow.window(options),
        SessionRow.isOrdered(options),
        ageMillis - rows.longAt(row, LAST_ACTIVE));
  }

  // ---- rows -----------------------------------------------------------------------------------

  /** The row of a session if it is this principal's; to anyone else it does not exist (L3). */
  int find(Principal who, long session) {
    return ofPrincipal(who, locate(session));
  }

  /** The same with a row that was the session's when the batch was looked ahead for. */
  int find(Principal who, long session, int hint) {
    boolean holds =
        hint != 0
            && rowBlocks.isPresent(hint)
            && rows.longAt(hint, SESSION) == session
            && rows.longAt(hint, INCARNATION) != 0;
    return ofPrincipal(who, holds ? hint : locate(session));
  }

  private int ofPrincipal(Principal who, int row) {
    return row != 0 && rows.intAt(row, PRINCIPAL) == who.number ? row : 0;
  }

  int findNamed(Principal who, ClientKind kind, byte[] name) {
    int row = byName.first(nameHash(who.number, kind, name));
    while (row != 0 && !isNamed(row, who, kind, name)) {
      row = byName.next();
    }
    return row;
  }

  private boolean isNamed(int row, Principal who, ClientKind kind, byte[] name) {
    return rows.intAt(row, PRINCIPAL) == who.number
        && kind(row) == kind
        && Arrays.equals(name(row), name);
  }

  int findOpenedBy(Principal who, Request.Open opening) {
    int row = byNonce.first(hash.of(who.number, opening.nonceHigh(), opening.nonceLow()));
    while (row != 0 && !(isOpenedBy(row, opening) && rows.intAt(row, PRINCIPAL) == who.number)) {
      row = byNonce.next();
    }
    return row;
  }

  boolean isOpenedBy(int row, Request.Open opening) {
    return rows.longAt(row, NONCE_HIGH) == opening.nonceHigh()
        && rows.longAt(row, NONCE_LOW) == opening.nonceLow();
  }

  void touch(int row) {
    rows.setLong(row, LAST_ACTIVE, ageMillis);
  }

  /** Forgets the session entirely (S8). */
  void remove(int row) {
    wheel.remove(row);
    drop(row);
  }

  /** The same for a row that is out of the wheel. */
  private void drop(int row) {
    Principal owner = owner(row);
    ClientKind kind = kind(row);
    emptyWindow(row);
    byte[] name = name(row);
    bySession.remove(hash.of(rows.longAt(row, SESSION)), row);
    order.remove(rows.longAt(row, SESSION));
    if (kind == ClientKind.REGISTERED) {
      byNonce.remove(nonceHash(row), row);
    } else {
      byName.remove(nameHash(owner.number, kind, name), row);
    }
    if (rows.intAt(row, NAME) != 0) {
      blocks.free(rows.intAt(row, NAME));
    }
    rows.setLong(row, INCARNATION, 0);
    rowBlocks.free(row);
    owner.sessions--;
    room.charge(owner, -Room.session(kind, name.length));
  }

  /** Moves the session, its name and its replies out of pages that are to be left. */
  void settle(int row) {
    int block = rows.intAt(row, NAME);
    if (block != 0 && blocks.isLeaving(block)) {
      rows.setInt(row, NAME, blocks.move(block));
    }
    window.settle(row);
    if (!rowBlocks.isLeaving(row)) {
      return;
    }
    int to = rowBlocks.copy(row);
    wheel.moved(to);
    bySession.replace(hash.of(rows.longAt(to, SESSION)), row, to);
    if (kind(to) == ClientKind.REGISTERED) {
      byNonce.replace(nonceHash(to), row, to);
    } else {
      byName.replace(nameHash(rows.intAt(to, PRINCIPAL), kind(to), name(to)), row, to);
    }
    rows.setLong(row, INCARNATION, 0);
    rowBlocks.free(row);
  }

  /** The memory of the pages in which sessions stand. */
  long heldBytes() {
    return rowBlocks.heldBytes() + blocks.heldBytes();
  }

  ClientKind kind(int row) {
    return SessionRow.kind(rows.intAt(row, OPTIONS));
  }

  Principal owner(int row) {
    return principals.numbered(rows.intAt(row, PRINCIPAL));
  }

  private int storeName(byte[] name, ClientKind kind) {
    int block = blocks.allocate(4 + name.length + (kind == ClientKind.DURABLE ? Lineage.BYTES : 0));
    byte[] page = blocks.writable(block);
    Blocks.INT.set(page, Blocks.offset(block), name.length);
    System.arraycopy(name, 0, page, Blocks.offset(block) + 4, name.length);
    return block;
  }

  private byte[] name(int row) {
    int block = rows.intAt(row, NAME);
    return block == 0 ? new byte[0] : SessionSnapshot.name(blocks.page(block), block);
  }

  private long nonceHash(int row) {
    return hash.of(
        rows.intAt(row, PRINCIPAL), rows.longAt(row, NONCE_HIGH), rows.longAt(row, NONCE_LOW));
  }

  private long nameHash(int principal, ClientKind kind, byte[] name) {
    return hash.of((long) principal << 2 | kind.code(), name);
  }
}
