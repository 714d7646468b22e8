package io.onceward.testkit.history.numbered;

/** Lists that are appended to ({@link ListAppends}), numbered. */
public final class NumberedLists extends Numbered {
  public NumberedLists() {
    super(new ListAppends());
  }
}
