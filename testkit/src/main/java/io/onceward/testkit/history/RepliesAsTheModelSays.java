package io.onceward.testkit.history;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.testkit.history.ReferenceModel.Judgement;
import io.onceward.testkit.history.ReferenceModel.Moment;
import io.onceward.testkit.history.ReferenceModel.Result;
import io.onceward.testkit.history.numbered.Numbered;
import java.util.ArrayList;
import java.util.List;

/**
 * Replies are those of an independent model that executes the commands in the order of their
 * serials, and queries where they say that they looked. Keys that a missing command may have
 * touched are taken from the next reply; how often that was so is counted.
 */
final class RepliesAsTheModelSays extends Check {
  private long taken;
  private long missing;

  RepliesAsTheModelSays() {
    super("replies are what a reference model answers in the order of serials");
  }

  @Override
  void check(Evidence evidence, Findings findings) {
    for (ServiceOrder order : evidence.orders()) {
      ReferenceModel model = order.kind.newModel();
      if (model != null) {
        check(evidence, order, model, findings);
      }
    }
    findings.count(missing, "holes that the model stepped over");
    findings.count(taken, "replies taken for granted behind them");
  }

  private void check(
      Evidence evidence, ServiceOrder order, ReferenceModel model, Findings findings) {
    History history = evidence.history();
    Holes holes = Holes.of(evidence, order);
    int passed = 0;
    int settled = 0;
    for (int serial = 0; serial <= order.last; serial++) {
      int request = order.bySerial[serial];
      if (request >= 0 && history.wasSent(request)) {
        long time = history.logTime(history.answeredOp[request]);
        Moment now = moment(history, request, time);
        Bytes command = history.payload(history.firstOp[request]);
        judge(evidence, request, findings, told -> model.executed(command, now, told));
      } else if (serial > 0) {
        missing++;
        passed++;
        int early = holes.candidatesBefore(serial);
        model.missed(candidates(history, holes, settled, early));
        // If only as many were sent in time as there are holes so far, all of them are in these.
        settled = early == passed ? early : settled;
      }
      if (order.queriesStart(serial) < order.queriesEnd(serial)) {
        long latest = timeAfter(history, order, serial);
        for (int i = order.queriesStart(serial); i < order.queriesEnd(serial); i++) {
          int query = order.query(i);
          Bytes question = history.payload(history.firstOp[query]);
          Moment then = moment(history, query, latest);
          judge(evidence, query, findings, told -> model.queried(question, then, told));
        }
      }
    }
  }

  private static Moment moment(History history, int request, long timeMillis) {
    return new Moment(timeMillis, history.firstInvoked[request], history.firstAnswered[request]);
  }

  private interface Judge {
    Judgement judge(Reply told);
  }

  private void judge(Evidence evidence, int request, Findings findings, Judge judge) {
    findings.checked();
    History history = evidence.history();
    Judgement judgement;
    try {
      judgement = judge.judge(Numbered.bare(history.reply(history.answeredOp[request])));
    } catch (RuntimeException e) {
      judgement = ReferenceModel.differs("words of this service, got " + e);
    }
    taken += judgement.result() == Result.TAKEN ? 1 : 0;
    if (judgement.result() == Result.DIFFERS) {
      String expected = judgement.expected();
      findings.violation(() -> "expected " + expected + ": " + evidence.tell(request));
    }
  }

  /** When log time cannot have been later: at the next command. */
  private static long timeAfter(History history, ServiceOrder order, int serial) {
    for (int next = serial + 1; next <= order.last; next++) {
      int request = order.bySerial[next];
      if (request >= 0) {
        return history.logTime(history.answeredOp[request]);
      }
    }
    return Long.MAX_VALUE;
  }

  private static List<Bytes> candidates(History history, Holes holes, int from, int to) {
    List<Bytes> commands = new ArrayList<>();
    for (int i = from; i < to; i++) {
      commands.add(history.payload(history.firstOp[holes.candidate(i)]));
    }
    return commands;
  }
}
