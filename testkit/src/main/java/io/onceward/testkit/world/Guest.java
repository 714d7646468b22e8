package io.onceward.testkit.world;

import io.onceward.server.Visitor;
import io.onceward.wire.Answer;

/** One connection of a caller, as a node's door knows it. What it is told travels back. */
public abstract class Guest extends Visitor {
  protected Guest(String principal) {
    super(principal);
  }

  @Override
  public abstract void answer(long ticket, Answer answer);
}
