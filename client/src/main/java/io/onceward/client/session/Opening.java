package io.onceward.client.session;

import io.onceward.ClientKind;
import io.onceward.client.session.SessionRequest.Kind;
import io.onceward.replica.Request;
import io.onceward.wire.Answer;
import org.jspecify.annotations.Nullable;

/**
 * The way to an open session: find out whom to follow, write it down, ask. The predecessor comes
 * from the journal, or is read just before; a registered client has none (S1, S2, S3).
 */
final class Opening {
  private enum Step {
    READ,
    WRITE,
    ASK
  }

  private final SessionPlan plan;
  private final SessionActions actions;
  private final Copies copies;
  private final Notes notes;
  private final SessionRequest read = new SessionRequest(Kind.READ);
  private final SessionRequest ask = new SessionRequest(Kind.OPEN);
  private Step step = Step.READ;
  private Request.@Nullable Open opening;

  Opening(SessionPlan plan, SessionActions actions, Copies copies, Notes notes) {
    this.plan = plan;
    this.actions = actions;
    this.copies = copies;
    this.notes = notes;
  }

  void start(long nowMillis) {
    Request.Address before = notes.state().address();
    if (notes.state().opening() != null) {
      // It may have been applied: only the very same opening finds the session that it made (S1).
      opening = notes.state().opening();
      step = Step.ASK;
      send(nowMillis);
    } else if (before != null) {
      openAs(plan.opening(before.clusterTag(), before.incarnation(), true), nowMillis);
    } else if (plan.kind() == ClientKind.REGISTERED) {
      openAs(plan.opening(0, 0, false), nowMillis);
    } else {
      send(nowMillis);
    }
  }

  void told(Answer.SessionTold told, long nowMillis) {
    if (step == Step.READ) {
      long current = told.session() == null ? 0 : told.session().incarnation();
      openAs(plan.opening(told.clusterTag(), current, false), nowMillis);
    }
  }

  private void openAs(Request.Open asked, long nowMillis) {
    opening = asked;
    if (notes.isKept()) {
      step = Step.WRITE;
      ask.mark = notes.write(new JournalRecord.Opening(asked));
      notes.sync(nowMillis);
    } else {
      step = Step.ASK;
      send(nowMillis);
    }
  }

  void synced(long nowMillis) {
    if (step == Step.WRITE && ask.mark <= notes.syncedMark()) {
      step = Step.ASK;
      send(nowMillis);
    }
  }

  void tick(long nowMillis) {
    if (copies.isDue(step == Step.READ ? read : ask, nowMillis)) {
      send(nowMillis);
    }
  }

  /** Sends a copy of the question that is to be answered next. */
  void send(long nowMillis) {
    if (step == Step.READ) {
      actions.read(read, copies.next(read, nowMillis), plan.kind(), plan.name());
    } else if (step == Step.ASK && opening != null) {
      actions.send(ask, copies.next(ask, nowMillis), opening);
    }
  }
}
