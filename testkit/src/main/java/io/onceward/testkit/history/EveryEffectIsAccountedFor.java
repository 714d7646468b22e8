package io.onceward.testkit.history;

/**
 * What was acknowledged is there, and nothing else: the service counted at least every serial that
 * anybody was told, and every serial that nobody was told belongs to a request whose outcome is not
 * known and which was sent early enough. An effect that happened twice leaves a serial that nobody
 * asked for.
 */
final class EveryEffectIsAccountedFor extends Check {
  EveryEffectIsAccountedFor() {
    super("final serials include every answer, and each hole is a request of unknown outcome");
  }

  @Override
  void check(Evidence evidence, Findings findings) {
    long holes = 0;
    long open = 0;
    for (ServiceOrder order : evidence.orders()) {
      Holes found = Holes.of(evidence, order);
      checkEnd(evidence, order, findings);
      checkUnsent(evidence, order, findings);
      checkHoles(evidence, order, found, findings);
      holes += found.count();
      open += found.candidates();
    }
    findings.count(holes, "holes");
    findings.count(open, "requests that may fill them");
  }

  private static void checkEnd(Evidence evidence, ServiceOrder order, Findings findings) {
    for (int request : order.outOfRange) {
      findings.violation(
          () ->
              order.name
                  + " got "
                  + order.commands
                  + " commands, but told: "
                  + evidence.tell(request));
    }
    HistoryOptions options = evidence.options();
    long stated = options.finalSerial(order.name);
    if (options.statesFinalSerial(order.name)) {
      findings.checked();
      if (stated > 2L * order.commands + 1024) {
        findings.violation(
            () ->
                order.name
                    + " ended at serial "
                    + stated
                    + " after "
                    + order.commands
                    + " commands");
      }
      if (order.last > stated) {
        int lost = order.bySerial[order.last];
        findings.violation(
            () ->
                order.name
                    + " ended at serial "
                    + stated
                    + ", but "
                    + (lost < 0
                        ? "a query saw " + order.last
                        : "this was acknowledged: " + evidence.tell(lost)));
      }
    }
  }

  private static void checkUnsent(Evidence evidence, ServiceOrder order, Findings findings) {
    for (int serial = 1; serial <= order.last; serial++) {
      int request = order.bySerial[serial];
      if (request >= 0) {
        findings.checked();
        if (!evidence.history().wasSent(request)) {
          findings.violation(
              () -> "an effect of a request that nobody sent: " + evidence.tell(request));
        }
      }
    }
  }

  private static void checkHoles(
      Evidence evidence, ServiceOrder order, Holes holes, Findings findings) {
    int needed = 0;
    for (int serial = 1; serial <= order.last; serial++) {
      if (order.bySerial[serial] >= 0) {
        continue;
      }
      findings.checked();
      needed++;
      int available = holes.candidatesBefore(serial);
      if (needed > available) {
        int hole = serial;
        int have = available;
        findings.violation(
            () ->
                order.name
                    + ": nobody asked for the effect with serial "
                    + hole
                    + "; up to there "
                    + have
                    + " requests of unknown outcome may have been executed; before it "
                    + neighbour(evidence, order, hole, -1)
                    + "; behind it "
                    + neighbour(evidence, order, hole, 1));
        // One effect too many shifts the account of all later ones, so it is told once.
        needed--;
      }
    }
    int unfilled = needed;
    if (evidence.options().statesFinalSerial(order.name) && holes.untold() > unfilled) {
      findings.violation(
          () ->
              order.name
                  + ": "
                  + holes.untold()
                  + " requests executed without telling a serial, but there are only "
                  + unfilled
                  + " holes");
    }
  }

  private static String neighbour(Evidence evidence, ServiceOrder order, int hole, int step) {
    for (int serial = hole + step; serial > 0 && serial <= order.last; serial += step) {
      if (order.bySerial[serial] >= 0) {
        return evidence.tell(order.bySerial[serial]);
      }
    }
    return "nothing";
  }
}
