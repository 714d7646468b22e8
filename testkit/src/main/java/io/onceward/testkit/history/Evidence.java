package io.onceward.testkit.history;

import java.util.List;

/** What checks look at: what was recorded, each numbered service in order, what the end was. */
record Evidence(History history, List<ServiceOrder> orders, HistoryOptions options) {

  /** A request as a violation tells it, with the serial it was told. */
  String tell(int request) {
    int answered = history.answeredOp[request];
    String text = history.describeRequest(request);
    return answered >= 0 && history.serial(answered) >= 0
        ? text + " (serial " + history.serial(answered) + ")"
        : text;
  }
}
