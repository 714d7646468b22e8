package io.onceward.testkit.history;

/**
 * The log is one order for all services: positions and log times grow with serials, and what was
 * answered before something else was sent has no later position.
 */
final class LogOrderIsKept extends Check {
  LogOrderIsKept() {
    super("positions and log times follow serials, and real time across services");
  }

  @Override
  void check(Evidence evidence, Findings findings) {
    for (ServiceOrder order : evidence.orders()) {
      alongSerials(evidence, order, findings);
    }
    inRealTime(evidence, findings);
  }

  private static void alongSerials(Evidence evidence, ServiceOrder order, Findings findings) {
    History history = evidence.history();
    int before = -1;
    for (int serial = 1; serial <= order.last; serial++) {
      int request = order.bySerial[serial];
      if (request < 0) {
        continue;
      }
      if (before >= 0) {
        findings.checked();
        if (history.position[request] < history.position[before]
            || logTime(history, request) < logTime(history, before)) {
          int earlier = before;
          findings.violation(() -> evidence.tell(earlier) + "; then " + evidence.tell(request));
        }
      }
      before = request;
    }
  }

  private static long logTime(History history, int request) {
    return history.logTime(history.answeredOp[request]);
  }

  private static void inRealTime(Evidence evidence, Findings findings) {
    History history = evidence.history();
    int[] decided = new int[history.requests];
    int count = 0;
    for (int request = 0; request < history.requests; request++) {
      if (history.answeredOp[request] >= 0 && !history.isQuery(request)) {
        decided[count++] = request;
      }
    }
    int[] order = ByKey.sorted(decided, count, request -> history.position[request]);
    int earliest = -1;
    int end = count;
    while (end > 0) {
      // Requests that share an entry have no order that could be told from outside.
      int start = end;
      while (start > 0 && history.position[order[start - 1]] == history.position[order[end - 1]]) {
        start--;
      }
      int above = earliest;
      for (int i = start; i < end; i++) {
        int request = order[i];
        findings.checked();
        if (above >= 0
            && history.wasSent(request)
            && history.firstInvoked[request] > history.firstAnswered[above]) {
          findings.violation(
              () ->
                  "sent after the answer to a later position: "
                      + evidence.tell(request)
                      + "; and "
                      + evidence.tell(above));
        }
        if (earliest < 0 || history.firstAnswered[request] < history.firstAnswered[earliest]) {
          earliest = request;
        }
      }
      end = start;
    }
  }
}
