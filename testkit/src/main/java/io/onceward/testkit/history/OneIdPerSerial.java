package io.onceward.testkit.history;

/** A serial belongs to one request: a service that went back in time gives serials again. */
final class OneIdPerSerial extends Check {
  OneIdPerSerial() {
    super("no serial is told to two ids");
  }

  @Override
  void check(Evidence evidence, Findings findings) {
    for (ServiceOrder order : evidence.orders()) {
      for (int request : order.bySerial) {
        findings.checked(request < 0 ? 0 : 1);
      }
      for (ServiceOrder.Clash clash : order.clashes) {
        findings.checked();
        findings.violation(
            () ->
                order.name
                    + " serial "
                    + clash.serial()
                    + ": "
                    + evidence.tell(clash.first())
                    + "; and "
                    + evidence.tell(clash.second()));
      }
    }
  }
}
