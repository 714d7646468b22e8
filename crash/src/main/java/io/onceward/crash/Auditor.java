package io.onceward.crash;

import io.onceward.Reply;
import io.onceward.crash.bank.Movement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Holds what callers were told against the books. It shares nothing with those who kept them. */
final class Auditor {
  private final Tally tally;

  Auditor(Tally tally) {
    this.tally = tally;
  }

  void audit(List<Round> rounds, List<Movement> book) {
    Map<String, List<Movement>> byRequest = new HashMap<>();
    for (Movement movement : book) {
      byRequest.computeIfAbsent(movement.request(), any -> new ArrayList<>()).add(movement);
    }
    for (Round round : rounds) {
      List<Movement> movements = byRequest.remove(round.transfer.request());
      judge(round, movements == null ? List.of() : movements);
    }
    byRequest.forEach(
        (request, movements) -> {
          // Nobody ever asked for it.
          tally.row(tally.home().steps().get(0)).doubled += movements.size();
          tally.found("nobody asked for " + request + ", and it happened: " + movements);
        });
  }

  private void judge(Round round, List<Movement> movements) {
    Tally.Row row = tally.row(round.step);
    row.rounds++;
    row.killed += round.kills;
    row.retried += round.copies - 1;
    row.replayed += round.replays;
    row.unknownResolved += round.resolved ? 1 : 0;
    String name = round.transfer.request() + ", killed " + round.step.inWords();
    String answer = round.answer;
    if (answer == null) {
      row.lost++;
      tally.found(name + ": never answered");
      return;
    }
    if (round.otherAnswer != null) {
      row.different++;
      tally.found(name + ": answered \"" + answer + "\" and \"" + round.otherAnswer + "\"");
    }
    boolean moved = answer.startsWith(Reply.Kind.OK.name() + " ");
    if (movements.size() > (moved ? 1 : 0)) {
      row.doubled++;
      tally.found(name + ": answered \"" + answer + "\", and the book says " + movements);
    } else if (moved && movements.isEmpty()) {
      row.lost++;
      tally.found(name + ": answered \"" + answer + "\", and the book has nothing of it");
    } else if (moved && !answer.equals(Reply.Kind.OK + " " + movements.get(0).inWords())) {
      row.different++;
      tally.found(name + ": answered \"" + answer + "\", and the book says " + movements);
    }
  }
}
