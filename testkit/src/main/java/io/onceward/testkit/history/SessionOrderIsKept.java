package io.onceward.testkit.history;

import java.util.HashMap;
import java.util.Map;

/**
 * Requests of an ordered session take effect in the order of their sequences (S6): within a service
 * by serials, across services by positions.
 */
final class SessionOrderIsKept extends Check {
  private record SessionName(long clusterTag, long session) {}

  /** The greatest sequence so far, and the request that had it. */
  private static final class Progress {
    long position = Long.MIN_VALUE;
    long greatest;
    int greatestRequest = -1;
    long greatestBefore;
    int greatestBeforeRequest = -1;
  }

  SessionOrderIsKept() {
    super("in an ordered session, serials and positions grow with sequences");
  }

  @Override
  void check(Evidence evidence, Findings findings) {
    for (ServiceOrder order : evidence.orders()) {
      alongSerials(evidence, order, findings);
    }
    alongPositions(evidence, findings);
  }

  private static void alongSerials(Evidence evidence, ServiceOrder order, Findings findings) {
    History history = evidence.history();
    Map<SessionName, Progress> sessions = new HashMap<>();
    for (int serial = 1; serial <= order.last; serial++) {
      int request = order.bySerial[serial];
      int op = request < 0 ? -1 : placed(history, request);
      if (op >= 0) {
        findings.checked();
        Progress session = sessions.computeIfAbsent(name(history, op), name -> new Progress());
        long sequence = history.sequence(op);
        judge(evidence, request, sequence, session.greatest, session.greatestRequest, findings);
        session.greatest = sequence;
        session.greatestRequest = request;
      }
    }
    findings.count(sessions.size(), "sessions of " + order.name);
  }

  private static void alongPositions(Evidence evidence, Findings findings) {
    History history = evidence.history();
    int[] placed = new int[history.requests];
    int count = 0;
    for (int request = 0; request < history.requests; request++) {
      if (history.answeredOp[request] >= 0 && placed(history, request) >= 0) {
        placed[count++] = request;
      }
    }
    Map<SessionName, Progress> sessions = new HashMap<>();
    for (int request : ByKey.sorted(placed, count, request -> history.position[request])) {
      int op = placed(history, request);
      findings.checked();
      Progress session = sessions.computeIfAbsent(name(history, op), name -> new Progress());
      long sequence = history.sequence(op);
      // Within one entry several services may be asked; their order is not told.
      if (history.position[request] > session.position) {
        session.position = history.position[request];
        session.greatestBefore = session.greatest;
        session.greatestBeforeRequest = session.greatestRequest;
      }
      judge(
          evidence,
          request,
          sequence,
          session.greatestBefore,
          session.greatestBeforeRequest,
          findings);
      if (sequence > session.greatest) {
        session.greatest = sequence;
        session.greatestRequest = request;
      }
    }
  }

  private static void judge(
      Evidence evidence, int request, long sequence, long before, int other, Findings findings) {
    if (sequence <= before) {
      findings.violation(
          () ->
              "sequence "
                  + sequence
                  + " took effect behind "
                  + before
                  + ": "
                  + evidence.tell(request)
                  + "; and "
                  + evidence.tell(other));
    }
  }

  /** An op that tells the place of the request in its session; -1 if the first answer has none. */
  private static int placed(History history, int request) {
    int op = history.answeredOp[request];
    return op >= 0 && history.isInOrder(op) ? op : -1;
  }

  private static SessionName name(History history, int op) {
    return new SessionName(history.clusterTag(op), history.session(op));
  }
}
