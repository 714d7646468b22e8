package io.onceward.testkit.history.numbered;

import io.onceward.services.ServiceDirectory;

/** The leases that ship, numbered. */
public final class NumberedLeases extends Numbered {
  public NumberedLeases() {
    super(new Shipped(ServiceDirectory.LEASE));
  }
}
