package io.onceward.server;

import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import io.onceward.wire.Timing;

/** Someone who asks at the door: one connection of an authenticated principal. */
public abstract class Visitor {
  private final String principal;

  /** Copies of this visitor that wait for an answer; counted by the door. */
  int waiting;

  /** Whether it was told the timing; for {@link TimingNews}. */
  boolean greeted;

  /** What questions of this visitor take that wait; counted by the {@link QuestionRoom}. */
  long questionBytes;

  /** Questions of this visitor for one kind of status or the other; counted where they wait. */
  int statuses;

  protected Visitor(String principal) {
    this.principal = principal;
  }

  public final String principal() {
    return principal;
  }

  /**
   * Whether this one leaves so much unread that it will ask for this again when it has read. Its
   * requests for the log are decided either way.
   */
  protected boolean postpones(long ticket, Question question) {
    return false;
  }

  /**
   * Hears what is expected of idle clients from now on; only the latest matters. Must not call the
   * door.
   */
  protected void timing(Timing timing) {}

  /** Hears an answer. Must not call the door. */
  protected abstract void answer(long ticket, Answer answer);
}
