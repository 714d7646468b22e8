package io.onceward.client.session;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Decision.Refused;
import io.onceward.Fingerprint;
import io.onceward.Refusal;
import io.onceward.client.session.SessionActions.End;
import io.onceward.client.session.SessionRequest.Kind;
import io.onceward.client.session.SessionRequest.State;
import io.onceward.replica.Limits;
import io.onceward.replica.Request;
import io.onceward.wire.Answer;
import io.onceward.wire.Timing;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One incarnation of a client: from its opening until it is closed, lost or left.
 *
 * <p>What always holds: a request keeps its sequence until it is decided, and every copy of it asks
 * the same (C1). Nothing is sent that the journal, if there is one, does not have on disk, and the
 * watermark passes nothing whose reply could still be lost (C5). Nothing is sent after the session
 * is over (S8).
 *
 * <p>Time goes in with each event, in milliseconds of any clock that does not go back. {@link
 * #tick} must be called at {@link #wakeMillis()} or soon after; calling it more often costs little.
 */
public final class ClientSession {
  private enum Phase {
    NEW,
    OPENING,
    OPEN,
    /** Takes nothing new; closes when all is decided. */
    CLOSING,
    ENDED
  }

  private final SessionActions actions;
  private final Copies copies;
  private final Notes notes;
  private final Opening opening;
  private final RequestRing ring = new RequestRing();
  private final SessionRequest close = new SessionRequest(Kind.CLOSE);

  private Phase phase = Phase.NEW;
  private Request.@Nullable Address address;
  private @Nullable Pipeline pipeline;

  /** A client without a journal. */
  public ClientSession(SessionPlan plan, Pace pace, SessionActions actions) {
    this(plan, pace, actions, null, new JournalState());
  }

  /**
   * A client with a journal, if it is given.
   *
   * @param kept what an earlier process left in it; from now on it belongs to this session
   */
  public ClientSession(
      SessionPlan plan,
      Pace pace,
      SessionActions actions,
      @Nullable Journal journal,
      JournalState kept) {
    if (journal != null && plan.kind() != ClientKind.DURABLE) {
      throw new IllegalArgumentException("only a durable client has a journal, not " + plan.kind());
    }
    this.actions = actions;
    this.copies = new Copies(pace, plan.kind(), actions);
    this.notes = new Notes(journal, kept, copies);
    this.opening = new Opening(plan, actions, copies, notes);
    recover(kept);
  }

  private void recover(JournalState kept) {
    List<JournalState.Entry> undecided = kept.undecided();
    ring.startAt(undecided.isEmpty() ? kept.nextSequence() : undecided.get(0).sequence());
    for (JournalState.Entry entry : undecided) {
      SessionRequest request =
          new SessionRequest(
              Kind.COMMAND,
              entry.sequence(),
              entry.tag(),
              entry.payload(),
              entry.fingerprint(),
              null);
      request.abandoning = isHole(request);
      ring.add(request);
    }
    ring.skipTo(kept.nextSequence());
  }

  // ---- what can be seen -----------------------------------------------------------------------

  /** When {@link #tick} has something to do; {@code Long.MAX_VALUE} if never. */
  public long wakeMillis() {
    return phase == Phase.ENDED ? Long.MAX_VALUE : copies.wakeMillis();
  }

  public boolean isOpen() {
    return phase == Phase.OPEN;
  }

  public boolean isEnded() {
    return phase == Phase.ENDED;
  }

  /** The session and its incarnation; null until it is open. */
  public Request.@Nullable Address address() {
    return address;
  }

  /** The lowest sequence whose reply this client has not taken. */
  public long watermark() {
    return ring.watermark();
  }

  public long nextSequence() {
    return ring.next();
  }

  /** How long the session may be idle before the cluster forgets it (S7). */
  public long expiryMillis() {
    return copies.expiryMillis();
  }

  /** After how long without anything applied the session says that it is there (C3). */
  public long keepAliveMillis() {
    return copies.keepAliveMillis();
  }

  /** What the journal holds; empty without one. */
  public JournalState kept() {
    return notes.state();
  }

  /** All that was submitted, or recovered from the journal, and is not decided, in order. */
  public List<SessionRequest> undecided() {
    List<SessionRequest> undecided = new ArrayList<>();
    for (long sequence = ring.watermark(); sequence < ring.next(); sequence++) {
      SessionRequest request = undecided(sequence);
      if (request != null) {
        undecided.add(request);
      }
    }
    return undecided;
  }

  /** The undecided request with this sequence, or null. */
  public @Nullable SessionRequest undecided(long sequence) {
    if (sequence < ring.watermark() || sequence >= ring.next()) {
      return null;
    }
    SessionRequest request = ring.get(sequence);
    return request == null || request.isDecided() || isHole(request) ? null : request;
  }

  private boolean isHole(SessionRequest request) {
    return notes.isKept() && request.tag.isEmpty();
  }

  // ---- opening --------------------------------------------------------------------------------

  /** Begins to open. */
  public void start(long nowMillis) {
    if (phase != Phase.NEW) {
      throw new IllegalStateException("a session is started once, this one is " + phase);
    }
    phase = Phase.OPENING;
    opening.start(nowMillis);
  }

  private void ofOpening(
      SessionRequest asked, int copy, Decision decision, long clusterTag, long nowMillis) {
    if (phase != Phase.OPENING) {
      return;
    }
    if (decision instanceof Decision.Opened opened && isPossible(opened)) {
      opened(opened, clusterTag, nowMillis);
    } else if (isLoss(decision)) {
      lose((Refused) decision, nowMillis);
    } else if (decision instanceof Refused refused && !refused.refusal().mayResend()) {
      write(new JournalRecord.NotOpened());
      end(new End.NotOpened(refused));
    } else {
      copies.turnedAway(asked, copy, nowMillis);
    }
  }

  /** No session is ever further ahead of its watermark; whoever says so is not believed. */
  private static boolean isPossible(Decision.Opened opened) {
    long ahead = opened.nextSequence() - opened.watermark();
    return opened.watermark() >= 1 && ahead >= 0 && ahead <= Limits.WINDOW;
  }

  private void opened(Decision.Opened opened, long clusterTag, long nowMillis) {
    boolean goesOn = notes.state().address() != null;
    // Below the watermark everything is closed, whether the journal knows of it or not.
    long next =
        goesOn ? Math.max(notes.state().nextSequence(), opened.watermark()) : opened.nextSequence();
    Request.Address to = new Request.Address(clusterTag, opened.session(), opened.incarnation());
    // If this fails, the session is not open yet: the next copy is answered the same.
    write(new JournalRecord.Opened(to, next));
    address = to;
    phase = Phase.OPEN;
    if (!goesOn) {
      // Whatever an earlier process left behind is decided or abandoned, and nobody waits for it.
      ring.startAt(next);
    } else {
      ring.skipTo(next);
      if (opened.nextSequence() > next) {
        fillHoles(next, opened.nextSequence(), nowMillis);
      }
    }
    pipeline =
        new Pipeline(
            actions,
            copies,
            to,
            opened.window(),
            opened.ordered(),
            ring,
            opened.watermark(),
            nowMillis);
    actions.opened(opened, to);
    pipeline.synced(notes.syncedMark(), nowMillis);
  }

  /**
   * The log knows sequences that the journal does not: an operator closed them, or the journal was
   * restored from a copy. They must not be given to new requests, which would then get the replies
   * of others, so they are closed and new requests go behind them.
   */
  private void fillHoles(long start, long end, long nowMillis) {
    long mark = write(new JournalRecord.Holes(start, end));
    for (long sequence = start; sequence < end; sequence++) {
      SessionRequest hole = new SessionRequest(Kind.COMMAND, sequence, "", Bytes.EMPTY, null, null);
      hole.abandoning = true;
      hole.mark = mark;
      ring.add(hole);
    }
    notes.sync(nowMillis);
  }

  // ---- the caller -----------------------------------------------------------------------------

  /**
   * Takes a request and gives it the next sequence. It is sent as soon as window and journal allow,
   * and again until it is decided.
   *
   * @param tag what the caller calls it: with a journal not empty and not in the journal, without
   *     one empty
   * @param deadlineMillis when the caller's wait ends; {@code Long.MAX_VALUE} for never
   */
  public SessionRequest submit(
      Bytes payload,
      @Nullable Fingerprint fingerprint,
      String tag,
      @Nullable Object attachment,
      long deadlineMillis,
      long nowMillis) {
    if (phase != Phase.OPEN || pipeline == null) {
      throw new IllegalStateException("the session is not open but " + phase);
    }
    if (tag.isEmpty() == notes.isKept() || notes.state().entry(tag) != null) {
      throw new IllegalArgumentException(
          notes.isKept()
              ? "a request needs a tag that the journal does not hold, got \"" + tag + '"'
              : "a tag without a journal: " + tag);
    }
    long sequence = ring.next();
    SessionRequest request =
        new SessionRequest(Kind.COMMAND, sequence, tag, payload, fingerprint, attachment);
    // Before it is in the journal: what is there must be in the session too.
    ring.makeRoom();
    if (notes.isKept()) {
      request.mark = write(new JournalRecord.Asked(sequence, tag, fingerprint, payload));
      notes.sync(nowMillis);
    }
    pipeline.add(request, deadlineMillis, nowMillis);
    return request;
  }

  /**
   * From now on the request is to be closed, if it has not executed (O2). {@link
   * SessionActions#decided} tells which.
   */
  public void abandon(SessionRequest request, long nowMillis) {
    if (pipeline != null && !isEnded() && !request.isDecided() && !request.abandoning) {
      request.abandoning = true;
      if (request.isOut()) {
        pipeline.send(request, nowMillis);
      }
    }
  }

  /**
   * The application has taken what is known of this tag; it may go from the journal.
   *
   * @throws IllegalArgumentException if the journal does not hold it, or it is not decided
   */
  public void taken(String tag, long nowMillis) {
    JournalState.Entry entry = notes.state().entry(tag);
    if (entry == null || entry.decision() == null && entry.left() == null) {
      throw new IllegalArgumentException(
          "only what is decided or unknown can be taken, not \"" + tag + '"');
    }
    notes.decided(write(new JournalRecord.Taken(tag)), phase != Phase.OPEN, nowMillis);
  }

  /** Closes the session in the log once everything that was submitted is decided (S9). */
  public void close(long nowMillis) {
    if (phase == Phase.OPEN) {
      phase = Phase.CLOSING;
      notes.hurry(nowMillis);
      closeIfDone(nowMillis);
    } else if (phase != Phase.CLOSING) {
      leave();
    }
  }

  private void closeIfDone(long nowMillis) {
    if (phase == Phase.CLOSING && ring.isEmpty() && close.state == State.WAITING) {
      sendClose(nowMillis);
    }
  }

  private void sendClose(long nowMillis) {
    if (address != null) {
      actions.send(close, copies.next(close, nowMillis), new Request.Close(address));
    }
  }

  /** Stops at once and leaves the session in the log as it is; undecided requests are unknown. */
  public void leave() {
    if (phase != Phase.ENDED) {
      end(new End.Left());
    }
  }

  // ---- answers --------------------------------------------------------------------------------

  /**
   * An answer to a copy. Late, repeated and contradictory ones do no harm: the first decision is
   * kept, and a copy that was turned away matters only if it is the latest.
   */
  public void answered(SessionRequest asked, int copy, Answer answer, long nowMillis) {
    if (phase == Phase.ENDED) {
      return;
    }
    if (answer instanceof Answer.Decided told) {
      decided(asked, copy, told.decision(), told.clusterTag(), nowMillis);
    } else if (answer instanceof Answer.SessionTold told) {
      opening.told(told, nowMillis);
    } else if (answer instanceof Answer.Rejected rejected) {
      rejected(asked, copy, rejected.reason(), nowMillis);
    } else {
      copies.turnedAway(asked, copy, nowMillis);
    }
  }

  private void decided(
      SessionRequest asked, int copy, Decision decision, long clusterTag, long nowMillis) {
    if (asked.kind == Kind.OPEN) {
      ofOpening(asked, copy, decision, clusterTag, nowMillis);
    } else if (isLoss(decision)) {
      if (close.copies == 0) {
        lose((Refused) decision, nowMillis);
      } else {
        closed(nowMillis);
      }
    } else if (asked.kind == Kind.COMMAND) {
      ofCommand(asked, copy, decision, nowMillis);
    } else if (asked.kind == Kind.CLOSE && decision instanceof Decision.Done) {
      closed(nowMillis);
    } else if (asked.kind == Kind.KEEP_ALIVE
        && decision instanceof Decision.Done
        && pipeline != null) {
      pipeline.keptAlive(copy, nowMillis);
    } else {
      copies.turnedAway(asked, copy, nowMillis);
    }
  }

  private static boolean isLoss(Decision decision) {
    return decision instanceof Refused refused
        && (refused.refusal() == Refusal.SUPERSEDED || refused.refusal() == Refusal.NO_SESSION);
  }

  private void ofCommand(SessionRequest asked, int copy, Decision decision, long nowMillis) {
    if (decision instanceof Decision.Replied replied) {
      if (!replied.replay() && pipeline != null) {
        // A replay may come from the door, and then nothing of this session was applied (C3).
        pipeline.applied(asked, nowMillis);
      }
      finish(asked, replied, nowMillis);
    } else if (decision instanceof Decision.Abandoned) {
      Refused cause = asked.refusedForGood;
      finish(
          asked,
          cause == null
              ? new Refused(Refusal.ABANDONED)
              : new Refused(cause.refusal(), cause.limit(), Refusal.Executed.NEVER),
          nowMillis);
    } else if (decision instanceof Refused refused) {
      switch (refused.refusal()) {
        case MISMATCH, ABANDONED, ACKNOWLEDGED -> finish(asked, refused, nowMillis);
        case TOO_LARGE, MALFORMED, FORGOTTEN, UNDATED -> refusedForGood(asked, refused, nowMillis);
        case OUT_OF_ORDER,
            WINDOW_EXCEEDED,
            BAD_WATERMARK,
            OVERLOADED,
            FROM_THE_FUTURE,
            SUPERSEDED,
            NO_SESSION ->
            copies.turnedAway(asked, copy, nowMillis);
      }
    } else {
      copies.turnedAway(asked, copy, nowMillis);
    }
  }

  /**
   * No copy of this can ever be accepted, and the session must not wait for it: it is abandoned,
   * and only when the log has closed it is the caller told, who then knows that it never runs (S6).
   */
  private void refusedForGood(SessionRequest asked, Refused refused, long nowMillis) {
    if (!asked.isDecided() && asked.refusedForGood == null) {
      asked.refusedForGood = refused;
      abandon(asked, nowMillis);
    }
  }

  private void rejected(SessionRequest asked, int copy, String reason, long nowMillis) {
    if (asked.kind == Kind.READ || asked.kind == Kind.OPEN) {
      if (phase == Phase.OPENING) {
        end(new End.Rejected(reason));
      }
    } else if (asked.kind == Kind.COMMAND && !asked.abandoning) {
      refusedForGood(asked, new Refused(Refusal.MALFORMED, reason), nowMillis);
    } else {
      copies.turnedAway(asked, copy, nowMillis);
    }
  }

  // ---- deciding -------------------------------------------------------------------------------

  private void finish(SessionRequest request, Decision decision, long nowMillis) {
    if (request.isDecided() || pipeline == null) {
      return;
    }
    if (notes.isKept() && notes.state().awaits(request.sequence)) {
      // If this or what follows fails, the next copy brings the decision again.
      request.mark = write(new JournalRecord.Decided(request.sequence, decision));
      notes.decided(request.mark, phase != Phase.OPEN || pipeline.isFull(), nowMillis);
    }
    if (!isHole(request)) {
      actions.decided(request, decision);
    }
    pipeline.decided(request, !notes.isKept(), nowMillis);
    closeIfDone(nowMillis);
  }

  /** A session that differs from its journal must not go on; the next process goes by the file. */
  private long write(JournalRecord record) {
    try {
      return notes.write(record);
    } catch (RuntimeException | Error e) {
      if (notes.isTorn()) {
        leave();
      }
      throw e;
    }
  }

  private void closed(long nowMillis) {
    write(new JournalRecord.Over());
    notes.sync(nowMillis);
    end(new End.Closed());
  }

  private void lose(Refused refused, long nowMillis) {
    write(new JournalRecord.Over());
    notes.sync(nowMillis);
    end(new End.Lost(refused));
  }

  private void end(End end) {
    List<SessionRequest> unknown = undecided();
    phase = Phase.ENDED;
    ring.clear();
    actions.ended(end, unknown);
  }

  // ---- time and place -------------------------------------------------------------------------

  /** Everything in the journal up to the record with this mark is on disk. */
  public void synced(long mark, long nowMillis) {
    notes.synced(mark);
    if (phase == Phase.OPENING) {
      opening.synced(nowMillis);
    } else if (phase != Phase.ENDED && pipeline != null) {
      pipeline.synced(notes.syncedMark(), nowMillis);
      closeIfDone(nowMillis);
    }
  }

  /** The connection broke, or another node leads: what is under way is sent again at once (C4). */
  public void rerouted(long nowMillis) {
    if (phase == Phase.OPENING) {
      opening.send(nowMillis);
    } else if (phase != Phase.ENDED && pipeline != null) {
      pipeline.rerouted(nowMillis);
      if (close.isOut()) {
        sendClose(nowMillis);
      }
    }
  }

  /**
   * The cluster says what it expects of idle sessions; until then it is {@link Timing#INITIAL}. A
   * keep-alive that is due sooner than it was planned leaves with the next {@link #tick}.
   */
  public void timing(Timing timing, long nowMillis) {
    copies.follow(timing);
    if (phase != Phase.ENDED && pipeline != null) {
      pipeline.timingChanged(nowMillis);
    }
  }

  /** Time has passed: sends what is due, ends waits, keeps alive. */
  public void tick(long nowMillis) {
    if (nowMillis < copies.wakeMillis()) {
      return;
    }
    copies.awake();
    if (phase == Phase.OPENING) {
      opening.tick(nowMillis);
    } else if (phase != Phase.ENDED && pipeline != null) {
      pipeline.tick(nowMillis);
      if (copies.isDue(close, nowMillis)) {
        sendClose(nowMillis);
      }
    }
    notes.tick(nowMillis);
  }
}
