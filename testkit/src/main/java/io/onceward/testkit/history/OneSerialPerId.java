package io.onceward.testkit.history;

/** Each id took effect at most once (E2): no two answers of a request tell different serials. */
final class OneSerialPerId extends Check {
  OneSerialPerId() {
    super("all answers of an id tell one serial");
  }

  @Override
  void check(Evidence evidence, Findings findings) {
    History history = evidence.history();
    boolean[] numbered = new boolean[1 << 16];
    for (ServiceOrder order : evidence.orders()) {
      int service = history.serviceNumber(order.name);
      if (service >= 0) {
        numbered[service] = true;
      }
      for (int request : order.unnumbered) {
        findings.violation(() -> "an answer without a serial: " + evidence.tell(request));
      }
    }
    for (int op = 0; op < history.ops; op++) {
      int first = history.answeredOp[history.requestOf[op]];
      if (history.resultOf[op] == History.ANSWERED && numbered[history.service(op)]) {
        findings.checked();
        if (op != first && history.serial(op) != history.serial(first)) {
          int other = op;
          findings.violation(
              () ->
                  "serials "
                      + history.serial(first)
                      + " and "
                      + history.serial(other)
                      + ": "
                      + history.describe(first)
                      + "; and "
                      + history.describe(other));
        }
      }
    }
  }
}
