package io.onceward.testkit.history.numbered;

/** A ledger ({@link Accounts}), numbered. */
public final class NumberedAccounts extends Numbered {
  public NumberedAccounts() {
    super(new Accounts());
  }
}
