package io.onceward.testkit.history.numbered;

import io.onceward.services.ServiceDirectory;

/** The key-value service that ships, with its compare-and-set, numbered. */
public final class NumberedRegisters extends Numbered {
  public NumberedRegisters() {
    super(new Shipped(ServiceDirectory.KEY_VALUE));
  }
}
