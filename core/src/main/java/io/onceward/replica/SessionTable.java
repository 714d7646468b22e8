package io.onceward.replica;

import static io.onceward.replica.SessionRow.INCARNATION;
import static io.onceward.replica.SessionRow.NONCE_HIGH;
import static io.onceward.replica.SessionRow.NONCE_LOW;
import static io.onceward.replica.SessionRow.OPTIONS;
import static io.onceward.replica.SessionRow.SESSION;

import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Decision.Opened;
import io.onceward.Decision.Refused;
import io.onceward.Outcome;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.replica.Replica.SessionView;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The memory of every client that opened a session: which sequences were decided, and what they
 * answered.
 *
 * <p>Sessions are opened, kept alive, expired and closed through the log, because whatever decides
 * that a session exists decides whether a retry executes: if one node forgot a session by its own
 * clock, a retry that reached it would execute twice. A session that is gone cannot come back,
 * since its incarnation is never given again; its late requests are refused for want of a session
 * (S8).
 *
 * <p>It is the rules alone: {@link SessionStore} keeps the rows, {@link Window} the sequences. It
 * reads no clock; age is handed in.
 */
final class SessionTable implements Memory {
  private final Parameters parameters;
  private final Principals principals;
  private final Room room;
  private final SessionStore store;
  private final Rows rows;
  private final Window window;

  // The request that was judged last and may execute, for obstacle() and remember(); no row if the
  // last one may not, or is remembered already.
  private int judgedRow;
  private long judgedSequence;

  SessionTable(Parameters parameters, Principals principals, Room room, Hash hash) {
    this.parameters = parameters;
    this.principals = principals;
    this.room = room;
    this.store = new SessionStore(parameters, principals, room, hash);
    this.rows = store.rows;
    this.window = store.window;
  }

  SessionStore store() {
    return store;
  }

  // ---- requests -------------------------------------------------------------------------------

  /**
   * Judges a request of a session (S4, S5, S6, E7), moving its watermark first.
   *
   * @param hint what {@link SessionStore#locate} said when the batch was looked ahead for, or 0
   */
  Verdict judge(
      Principal who,
      int hint,
      Request.Address address,
      long sequence,
      long watermark,
      boolean fingerprinted,
      long fingerprint) {
    judgedRow = 0;
    int row = store.find(who, address.session(), hint);
    Refusal fenced = fence(row, address);
    if (fenced != null) {
      return Verdict.Refuse.because(fenced);
    }
    store.touch(row);
    if (watermark > sequence || !store.moveWatermark(row, watermark)) {
      return Verdict.Refuse.because(Refusal.BAD_WATERMARK);
    }
    Refusal outside = outside(row, sequence);
    if (outside != null) {
      return Verdict.Refuse.because(outside);
    }
    int slot = window.slot(row, sequence);
    if (slot == Window.ABANDONED) {
      return Verdict.Refuse.because(Refusal.ABANDONED);
    }
    if (Window.isReply(slot)) {
      return store.matches(slot, fingerprinted, fingerprint)
          ? store.replay(slot)
          : Verdict.Refuse.mismatch(store.hasFingerprint(slot));
    }
    if (SessionRow.isOrdered(rows.intAt(row, OPTIONS)) && sequence != window.frontier(row)) {
      return Verdict.Refuse.because(Refusal.OUT_OF_ORDER);
    }
    judgedRow = row;
    judgedSequence = sequence;
    return Verdict.Execute.NOW;
  }

  @Override
  public String obstacle(Principal who) {
    return room.obstacle(who, store.reachCost(judged(who), judgedSequence));
  }

  @Override
  public void remember(
      Principal who,
      long position,
      long timeMillis,
      boolean fingerprinted,
      long fingerprint,
      Reply reply) {
    int row = judged(who);
    judgedRow = 0;
    store.execute(row, judgedSequence, position, timeMillis, fingerprinted, fingerprint, reply);
  }

  /** The row that this principal may write now: asking for another one is a mistake of ours. */
  private int judged(Principal who) {
    if (judgedRow == 0 || rows.intAt(judgedRow, SessionRow.PRINCIPAL) != who.number) {
      throw new IllegalStateException("no sequence of " + who.name + " was judged to execute");
    }
    return judgedRow;
  }

  Decision keepAlive(Principal who, Request.Address address, long watermark) {
    int row = store.find(who, address.session());
    Refusal fenced = fence(row, address);
    if (fenced != null) {
      return new Refused(fenced);
    }
    store.touch(row);
    return store.moveWatermark(row, watermark)
        ? new Decision.Done()
        : new Refused(Refusal.BAD_WATERMARK);
  }

  boolean movesWatermark(Principal who, Request.Address address, long watermark) {
    int row = store.find(who, address.session());
    return fence(row, address) == null
        && watermark > window.watermark(row)
        && watermark <= window.frontier(row);
  }

  Decision close(Principal who, Request.Address address) {
    int row = store.find(who, address.session());
    Refusal fenced = fence(row, address);
    if (fenced != null) {
      return new Refused(fenced);
    }
    store.remove(row);
    return new Decision.Done();
  }

  /** Closes a sequence unless it is decided (O2). */
  Decision abandon(Principal who, Request.Address address, long sequence) {
    int row = store.find(who, address.session());
    Refusal fenced = fence(row, address);
    if (fenced != null) {
      return new Refused(fenced);
    }
    store.touch(row);
    Refusal outside = outside(row, sequence);
    if (outside != null) {
      return new Refused(outside);
    }
    int slot = window.slot(row, sequence);
    if (Window.isReply(slot)) {
      Verdict.Replay replay = store.replay(slot);
      return new Decision.Replied(replay.reply(), true, replay.position(), replay.timeMillis());
    }
    if (slot == Window.UNDECIDED) {
      String limit = obstacleToAbandoning(row, sequence);
      if (!limit.isEmpty()) {
        return new Refused(Refusal.OVERLOADED, limit);
      }
      store.abandon(row, sequence);
    }
    return new Decision.Abandoned(true);
  }

  /** The limit that an abandon would meet now, if the sequence is undecided; or empty. */
  String obstacleToAbandoning(Principal who, Request.Address address, long sequence) {
    int row = store.find(who, address.session());
    boolean closesNothing =
        fence(row, address) != null
            || outside(row, sequence) != null
            || window.slot(row, sequence) != Window.UNDECIDED;
    return closesNothing ? "" : obstacleToAbandoning(row, sequence);
  }

  private String obstacleToAbandoning(int row, long sequence) {
    return room.obstacleToClosing(store.owner(row), store.reachCost(row, sequence));
  }

  /**
   * What is known of a sequence, if it is one of the incarnation that asks. A durable name's
   * sequences go on through its incarnations ({@link Lineage}); those of an auto name begin anew,
   * so a superseded incarnation asks about a session that is gone.
   */
  Outcome outcome(Principal who, Request.Address address, long sequence) {
    int row = store.find(who, address.session());
    if (row == 0 || !owns(row, address.incarnation(), sequence)) {
      return new Outcome.NoSession();
    }
    if (sequence < window.watermark(row)) {
      return new Outcome.Acknowledged();
    }
    int slot = window.slot(row, sequence);
    if (slot == Window.UNDECIDED) {
      return new Outcome.NeverSeen();
    }
    if (slot == Window.ABANDONED) {
      return new Outcome.Abandoned();
    }
    Verdict.Replay replay = store.replay(slot);
    return new Outcome.Executed(replay.reply(), replay.position(), replay.timeMillis());
  }

  /** Why this incarnation may not speak for the session, or null (S4). */
  private @Nullable Refusal fence(int row, Request.Address address) {
    if (row == 0) {
      return Refusal.NO_SESSION;
    }
    long current = rows.longAt(row, INCARNATION);
    if (address.incarnation() == current) {
      return null;
    }
    return address.incarnation() < current ? Refusal.SUPERSEDED : Refusal.NO_SESSION;
  }

  private boolean owns(int row, long incarnation, long sequence) {
    return store.kind(row) == ClientKind.DURABLE
        ? store.lineage.owns(row, incarnation, sequence)
        : incarnation == rows.longAt(row, INCARNATION);
  }

  /**
   * Why a sequence of the present incarnation lies outside the window, or null (S5). What it did
   * not use itself is behind it, like what it has taken: the reply of another process is not for
   * it.
   */
  private @Nullable Refusal outside(int row, long sequence) {
    long watermark = window.watermark(row);
    if (sequence < watermark || !owns(row, rows.longAt(row, INCARNATION), sequence)) {
      return Refusal.ACKNOWLEDGED;
    }
    return sequence - watermark >= SessionRow.window(rows.intAt(row, OPTIONS))
        ? Refusal.WINDOW_EXCEEDED
        : null;
  }

  // ---- opening --------------------------------------------------------------------------------

  /** Opens a session, or finds the one that an earlier copy of this opening made (S1-S3). */
  Decision open(Principal who, Request.Open opening, long incarnation, long clusterTag) {
    boolean named = opening.kind() != ClientKind.REGISTERED;
    byte[] name = opening.name().getBytes(StandardCharsets.UTF_8);
    int row = named ? store.findNamed(who, opening.kind(), name) : store.findOpenedBy(who, opening);
    if (row != 0 && store.isOpenedBy(row, opening)) {
      store.touch(row);
      return opened(row);
    }
    long predecessor = named ? opening.predecessor() : 0;
    if (predecessor != 0 && (row == 0 || opening.clusterTag() != clusterTag)) {
      return new Refused(Refusal.NO_SESSION);
    }
    if (row != 0 && predecessor != rows.longAt(row, INCARNATION)) {
      return new Refused(Refusal.SUPERSEDED);
    }
    long most = parameters.value(Parameter.MAX_WINDOW);
    // Who takes over a durable name inherits its window; what it asks for does not count (S2).
    boolean inherits = row != 0 && opening.kind() == ClientKind.DURABLE;
    if (opening.window() > most && !inherits) {
      return new Refused(Refusal.TOO_LARGE, "window");
    }
    int asked =
        opening.window() == 0
            ? (int) Math.min(most, parameters.value(Parameter.DEFAULT_WINDOW))
            : opening.window();
    if (row == 0) {
      String limit = obstacle(who, opening.kind(), name.length);
      if (!limit.isEmpty()) {
        return new Refused(Refusal.OVERLOADED, limit);
      }
      row = store.enter(principals.enter(who), opening, name, incarnation, asked);
    } else {
      succeed(row, opening, incarnation, asked);
    }
    return opened(row);
  }

  /** The limit that this opening would meet now, if it makes a session that is new; or empty. */
  String obstacleToOpening(Principal who, Request.Open opening) {
    boolean named = opening.kind() != ClientKind.REGISTERED;
    byte[] name = opening.name().getBytes(StandardCharsets.UTF_8);
    int row = named ? store.findNamed(who, opening.kind(), name) : store.findOpenedBy(who, opening);
    boolean makesNone =
        row != 0
            || named && opening.predecessor() != 0
            || opening.window() > parameters.value(Parameter.MAX_WINDOW);
    return makesNone ? "" : obstacle(who, opening.kind(), name.length);
  }

  private String obstacle(Principal who, ClientKind kind, int nameBytes) {
    return who.sessions >= parameters.value(Parameter.MAX_SESSIONS_PER_PRINCIPAL)
        ? "sessions per principal"
        : room.obstacle(who, Room.session(kind, nameBytes));
  }

  /** A new incarnation of a named client takes over. */
  private void succeed(int row, Request.Open opening, long incarnation, int asked) {
    if (opening.kind() == ClientKind.DURABLE) {
      store.lineage.succeed(row, opening.fromJournal(), window.nextSequence(row));
    }
    rows.setLong(row, INCARNATION, incarnation);
    rows.setLong(row, NONCE_HIGH, opening.nonceHigh());
    rows.setLong(row, NONCE_LOW, opening.nonceLow());
    store.touch(row);
    if (opening.kind() == ClientKind.AUTO) {
      store.emptyWindow(row);
      store.startWindow(row);
      rows.setInt(row, OPTIONS, SessionRow.options(asked, opening.kind(), opening.ordered()));
    } else if (!opening.fromJournal()) {
      long end = window.nextSequence(row);
      for (long hole = window.frontier(row); hole < end; hole = window.frontier(row)) {
        store.abandon(row, hole);
      }
    }
  }

  private Opened opened(int row) {
    int options = rows.intAt(row, OPTIONS);
    return new Opened(
        rows.longAt(row, SESSION),
        rows.longAt(row, INCARNATION),
        window.watermark(row),
        window.nextSequence(row),
        SessionRow.window(options),
        SessionRow.isOrdered(options));
  }

  /** The session of a durable or auto name. */
  Optional<SessionView> view(Principal who, ClientKind kind, String name) {
    int row = store.findNamed(who, kind, name.getBytes(StandardCharsets.UTF_8));
    return row == 0 ? Optional.empty() : Optional.of(store.view(row));
  }
}
