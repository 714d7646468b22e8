package io.onceward.server;

import io.onceward.wire.Answer;
import io.onceward.wire.Question;

/** Someone who asks at the door: one connection of an authenticated principal. */
public abstract class Visitor {
  private final String principal;

  /** Copies of this visitor that wait for an answer; counted by the door. */
  int waiting;

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

  /** Hears an answer. Must not call the door. */
  protected abstract void answer(long ticket, Answer answer);
}
