package io.onceward.testkit.history.numbered;

import io.onceward.services.ServiceDirectory;

/** The counters that ship, numbered. */
public final class NumberedCounters extends Numbered {
  public NumberedCounters() {
    super(new Shipped(ServiceDirectory.COUNTER));
  }
}
