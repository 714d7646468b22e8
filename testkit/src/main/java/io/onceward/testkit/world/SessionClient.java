package io.onceward.testkit.world;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.Id;
import io.onceward.testkit.world.Ask.Answer;
import io.onceward.testkit.world.Journal.Pending;
import io.onceward.testkit.world.Scenario.Habits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A client with a session, as the library would be: it opens, pipelines within the window, retries
 * under the same id until it has a decision, moves its watermark, keeps alive, abandons, closes,
 * and does not resend what belongs to a session that is gone. A wish that was told {@code never} is
 * sent again under a new sequence, as its caller may.
 */
final class SessionClient extends Caller {
  private enum Phase {
    READING,
    OPENING,
    OPEN,
    CLOSING,
    STOPPED
  }

  private static final int MOST_RESENT_PER_BEAT = 8;
  private static final int MOST_RECENT = 16;
  private static final long PATIENCE_MILLIS = 350;

  private final ClientKind kind;
  private final String name;
  private final Journal journal;
  private final boolean fromJournal;
  private final Habits habits;
  private final ArrayDeque<Wish> again = new ArrayDeque<>();
  private final List<Request> recent = new ArrayList<>();
  private Phase phase;
  private long spokeMillis = Long.MIN_VALUE / 2;
  private long heardMillis;
  private long stoppedUntilMillis;
  private long quietUntilMillis;

  /**
   * A process of a client.
   *
   * @param journal what an earlier process left, or an empty one
   * @param fromJournal whether the journal survives this process
   */
  SessionClient(
      World world,
      String principal,
      ClientKind kind,
      String name,
      Journal journal,
      boolean fromJournal) {
    super(world, principal);
    this.kind = kind;
    this.name = name;
    this.journal = journal;
    this.fromJournal = fromJournal;
    this.habits = world.scenario().habits();
    this.phase = firstPhase();
  }

  private Phase firstPhase() {
    if (kind == ClientKind.REGISTERED) {
      return Phase.OPENING;
    }
    boolean follows = fromJournal && (journal.address != null || journal.opening != null);
    return follows ? Phase.OPENING : Phase.READING;
  }

  @Override
  void beat() {
    long now = world.time().nowMillis();
    if (now - heardMillis > PATIENCE_MILLIS) {
      lookElsewhere();
      heardMillis = now;
    }
    switch (phase) {
      case READING -> askSession(kind, name);
      case OPENING -> open();
      case OPEN -> work(now);
      case CLOSING -> close();
      case STOPPED -> {
        if (now >= stoppedUntilMillis) {
          phase = firstPhase();
        }
      }
    }
  }

  // Opening.

  private void open() {
    if (journal.opening == null) {
      Request.Address before = journal.address;
      journal.opening =
          before == null
              ? opening(0, 0, fromJournal)
              : opening(before.clusterTag(), before.incarnation(), fromJournal);
    }
    send(journal.opening);
  }

  private Request.Open opening(long clusterTag, long predecessor, boolean journaled) {
    return new Request.Open(
        kind,
        name,
        dice.next(),
        dice.next(),
        clusterTag,
        predecessor,
        journaled,
        dice.perMille(habits.orderedPerMille()),
        dice.perMille(500) ? 0 : dice.between(1, 80));
  }

  @Override
  void told(Answer.SessionTold answer) {
    heardMillis = world.time().nowMillis();
    if (phase == Phase.READING) {
      long current = answer.session().map(Replica.SessionView::incarnation).orElse(0L);
      journal.opening = opening(answer.clusterTag(), current, fromJournal && current == 0);
      phase = Phase.OPENING;
      open();
    }
  }

  private void opened(Request.Open open, Decision.Opened opened, long clusterTag) {
    if (phase != Phase.OPENING || !open.equals(journal.opening)) {
      return;
    }
    boolean goesOn = journal.address != null;
    journal.opening = null;
    journal.address = new Request.Address(clusterTag, opened.session(), opened.incarnation());
    journal.window = opened.window();
    if (!goesOn) {
      // Whatever an earlier process left behind is decided or abandoned, and nobody waits for it.
      journal.watermark = opened.watermark();
      journal.nextSequence = opened.nextSequence();
      for (long sequence = opened.watermark(); sequence < opened.nextSequence(); sequence++) {
        journal.decided.add(sequence);
      }
    }
    phase = Phase.OPEN;
  }

  // Working.

  private void work(long now) {
    Request.Address address = journal.address;
    if (address == null) {
      throw new IllegalStateException("an open session without an address");
    }
    while (dice.perMille(habits.takePerMille()) && journal.take()) {
      world.trace().note("take", endpoint(), journal.watermark, null);
    }
    resend(address, now);
    for (int i = 0; i < 3 && wishes(); i++) {
      ask(address);
    }
    if (now - spokeMillis > world.keepAliveMillis()) {
      speak(new Request.KeepAlive(address, journal.watermark));
    }
    if (!world.finishing()) {
      oddities(address);
    }
  }

  private boolean wishes() {
    return !world.finishing()
        && world.time().nowMillis() >= quietUntilMillis
        && journal.pending.size() < habits.pipeline()
        && journal.nextSequence < journal.watermark + journal.window
        && (!again.isEmpty() || dice.perMille(habits.wishPerMille()));
  }

  private void ask(Request.Address address) {
    Wish wish = again.isEmpty() ? newWish() : again.remove();
    Bytes payload = payload(wish);
    Pending pending = new Pending(wish, payload, fingerprint(payload));
    long sequence = journal.nextSequence++;
    journal.pending.put(sequence, pending);
    send(address, sequence, pending);
  }

  private void send(Request.Address address, long sequence, Pending pending) {
    pending.sentMillis = world.time().nowMillis();
    if (pending.abandoning) {
      speak(new Request.AbandonSequence(address, sequence));
    } else {
      Request.InSession ask =
          new Request.InSession(
              address, sequence, journal.watermark, pending.fingerprint, pending.payload);
      remember(ask);
      speak(ask);
    }
  }

  private void remember(Request.InSession ask) {
    if (recent.size() < MOST_RECENT) {
      recent.add(ask);
    } else {
      recent.set(dice.below(MOST_RECENT), ask);
    }
  }

  private void speak(Request request) {
    spokeMillis = world.time().nowMillis();
    send(request);
  }

  private void resend(Request.Address address, long now) {
    int left = MOST_RESENT_PER_BEAT;
    for (Map.Entry<Long, Pending> entry : journal.pending.entrySet()) {
      if (now - entry.getValue().sentMillis >= habits.beatMillis()) {
        send(address, entry.getKey(), entry.getValue());
        if (--left == 0) {
          return;
        }
      }
    }
  }

  /** What clients do now and then: give up, ask, ask again what they know, leave. */
  private void oddities(Request.Address address) {
    if (!journal.pending.isEmpty() && dice.perMille(habits.abandonPerMille())) {
      pick().abandoning = true;
    }
    if (dice.perMille(habits.askPerMille())) {
      long sequence = journal.watermark + dice.below(4);
      long life = kind == ClientKind.AUTO ? address.incarnation() : 0;
      ask(new Id.InSession(address.session(), life, sequence), address);
    }
    if (!recent.isEmpty() && dice.perMille(habits.replayPerMille())) {
      send(dice.pick(recent));
    }
    if (dice.perMille(habits.quietPerMille())) {
      // Has nothing to ask for a while, and must not be forgotten for it.
      quietUntilMillis = world.time().nowMillis() + dice.between(1_000, 40_000);
    }
    if (dice.perMille(habits.closePerMille())) {
      phase = Phase.CLOSING;
    }
  }

  private Pending pick() {
    List<Pending> choices = new ArrayList<>(journal.pending.values());
    return dice.pick(choices);
  }

  private void close() {
    Request.Address address = journal.address;
    if (address == null) {
      phase = firstPhase();
    } else {
      send(new Request.Close(address));
    }
  }

  // Hearing.

  @Override
  void decided(Request request, Decision decision, long clusterTag) {
    heardMillis = world.time().nowMillis();
    if (request instanceof Request.Open open) {
      if (decision instanceof Decision.Opened opened) {
        opened(open, opened, clusterTag);
      } else if (phase == Phase.OPENING && open.equals(journal.opening)) {
        notOpened(decision);
      }
    } else if (request instanceof Request.InSession ask && isCurrent(ask.address())) {
      ofSequence(ask.sequence(), decision);
    } else if (request instanceof Request.AbandonSequence ask && isCurrent(ask.address())) {
      ofSequence(ask.sequence(), decision);
    } else if (request instanceof Request.KeepAlive ask && isCurrent(ask.address())) {
      ofSession(decision);
    } else if (request instanceof Request.Close ask && isCurrent(ask.address())) {
      closed(decision);
    }
  }

  private boolean isCurrent(Request.Address address) {
    return (phase == Phase.OPEN || phase == Phase.CLOSING) && address.equals(journal.address);
  }

  private void notOpened(Decision decision) {
    if (!(decision instanceof Decision.Refused refused)) {
      throw new IllegalStateException("an opening was decided " + decision);
    }
    if (isFinal(refused)) {
      stop();
    } else if (refused.refusal() == Refusal.TOO_LARGE) {
      // With another window, next time; anything else is sent again as it is.
      journal.opening = null;
    }
  }

  /** The session belongs to somebody else or to nobody: nothing of it is sent again. */
  private void stop() {
    world.trace().note("unknown", endpoint(), journal.pending.size(), journal.pending.keySet());
    journal.reset();
    phase = Phase.STOPPED;
    stoppedUntilMillis = world.time().nowMillis() + dice.between(0, 1_500);
  }

  private void closed(Decision decision) {
    if (decision instanceof Decision.Done || isFinal(decision)) {
      stop();
    }
  }

  private static boolean isFinal(Decision decision) {
    return decision instanceof Decision.Refused refused
        && (refused.refusal() == Refusal.SUPERSEDED || refused.refusal() == Refusal.NO_SESSION);
  }

  private void ofSession(Decision decision) {
    if (isFinal(decision)) {
      stop();
    }
  }

  private void ofSequence(long sequence, Decision decision) {
    Pending pending = journal.pending.get(sequence);
    if (decision instanceof Decision.Replied) {
      journal.decide(sequence);
    } else if (decision instanceof Decision.Abandoned) {
      never(sequence, pending);
    } else if (decision instanceof Decision.Refused refused) {
      switch (refused.refusal()) {
        case SUPERSEDED, NO_SESSION -> stop();
        case MISMATCH, ABANDONED -> {
          if (refused.executed() == Refusal.Executed.NEVER) {
            never(sequence, pending);
          } else {
            journal.decide(sequence);
          }
        }
        case ACKNOWLEDGED -> journal.decide(sequence);
        case TOO_LARGE, MALFORMED -> {
          if (pending != null) {
            pending.abandoning = true;
          }
        }
        case WINDOW_EXCEEDED -> tellWatermark();
        case OUT_OF_ORDER, OVERLOADED, BAD_WATERMARK, FORGOTTEN, FROM_THE_FUTURE, UNDATED -> {
          // Not a decision: the same id is sent again.
        }
      }
    }
  }

  /** An abandon carries no watermark, so the window may be further than the log knows. */
  private void tellWatermark() {
    if (journal.address != null) {
      speak(new Request.KeepAlive(journal.address, journal.watermark));
    }
  }

  private void never(long sequence, @Nullable Pending pending) {
    if (pending != null) {
      journal.decide(sequence);
      if (pending.payload.length() < 100) {
        again.add(pending.wish);
      }
    }
  }

  @Override
  List<String> undecided() {
    List<String> undecided = new ArrayList<>();
    for (Map.Entry<Long, Pending> entry : journal.pending.entrySet()) {
      undecided.add(
          kind
              + " "
              + name
              + " "
              + phase
              + " waits for "
              + journal.address
              + " sequence "
              + entry.getKey()
              + ", wish "
              + entry.getValue().wish.number());
    }
    if (phase == Phase.CLOSING) {
      undecided.add(kind + " " + name + " waits for its close of " + journal.address);
    }
    return undecided;
  }
}
