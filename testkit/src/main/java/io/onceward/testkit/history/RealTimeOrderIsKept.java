package io.onceward.testkit.history;

/**
 * What was answered before something else was sent comes before it: among the commands of a service
 * by their serials, and for queries, which see at least all that was answered before they were
 * sent, and never less than a query before them.
 *
 * <p>Serials are walked from the last one down, with the earliest answer of all that are above. A
 * request that was sent after that answer is on the wrong side of it.
 */
final class RealTimeOrderIsKept extends Check {
  RealTimeOrderIsKept() {
    super("answered before sent means ordered before, queries included");
  }

  @Override
  void check(Evidence evidence, Findings findings) {
    for (ServiceOrder order : evidence.orders()) {
      check(evidence, order, findings);
    }
  }

  private static void check(Evidence evidence, ServiceOrder order, Findings findings) {
    History history = evidence.history();
    int earliest = -1;
    for (int serial = order.last; serial >= 0; serial--) {
      int above = earliest;
      // Queries that saw the same serial have no order among each other.
      for (int i = order.queriesStart(serial); i < order.queriesEnd(serial); i++) {
        judge(evidence, order.query(i), above, findings);
        earliest = earlier(history, order.query(i), earliest);
      }
      int request = order.bySerial[serial];
      if (request >= 0) {
        judge(evidence, request, earliest, findings);
        earliest = earlier(history, request, earliest);
      }
    }
  }

  private static int earlier(History history, int request, int earliest) {
    return earliest < 0 || history.firstAnswered[request] < history.firstAnswered[earliest]
        ? request
        : earliest;
  }

  private static void judge(Evidence evidence, int request, int above, Findings findings) {
    findings.checked();
    History history = evidence.history();
    if (above >= 0
        && history.wasSent(request)
        && history.firstInvoked[request] > history.firstAnswered[above]) {
      findings.violation(
          () ->
              "sent after the answer to what comes behind it: "
                  + evidence.tell(request)
                  + "; and "
                  + evidence.tell(above));
    }
  }
}
