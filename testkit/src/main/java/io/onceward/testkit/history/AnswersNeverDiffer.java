package io.onceward.testkit.history;

/** Every copy of a request gets the same bytes and position (E3), and asks the same (E7). */
final class AnswersNeverDiffer extends Check {
  AnswersNeverDiffer() {
    super("all answers of an id have equal bytes and positions");
  }

  @Override
  void check(Evidence evidence, Findings findings) {
    History history = evidence.history();
    long repeated = 0;
    for (int op = 0; op < history.ops; op++) {
      int request = history.requestOf[op];
      int first = history.answeredOp[request];
      if (history.resultOf[op] != History.ANSWERED || history.isQuery(request)) {
        continue;
      }
      findings.checked();
      int other = op;
      if (op != first) {
        repeated++;
        if (!history.reply(op).equals(history.reply(first))
            || history.positionOf(op) != history.positionOf(first)
            || history.logTime(op) != history.logTime(first)) {
          findings.violation(() -> history.describe(first) + "; and " + history.describe(other));
        }
      }
      int asked = history.firstOp[request];
      if (op != asked
          && history.kind(op) == OpKind.COMMAND
          && !history.payload(op).equals(history.payload(asked))) {
        findings.violation(
            () ->
                "a copy that asks something else was answered: "
                    + history.describe(other)
                    + "; at first "
                    + history.describe(asked));
      }
    }
    findings.count(repeated, "of them again");
  }
}
