package io.onceward.testkit.history;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.testkit.history.numbered.Numbered;

/**
 * The ledger by itself, without a model: whenever the books were asked for, what is in all accounts
 * was what had been brought in, and no balance that anybody was told is negative.
 */
final class BooksBalance extends Check {
  private static final byte BOOKS = 4;

  BooksBalance() {
    super("no money appears or vanishes, and no balance is negative");
  }

  @Override
  void check(Evidence evidence, Findings findings) {
    History history = evidence.history();
    long books = 0;
    for (ServiceOrder order : evidence.orders()) {
      if (order.kind != ServiceKind.ACCOUNTS) {
        continue;
      }
      int service = history.serviceNumber(order.name);
      for (int request = 0; request < history.requests; request++) {
        if (history.fate(request) == Fate.ANSWERED
            && history.service(history.firstOp[request]) == service
            && history.serial(history.answeredOp[request]) >= 0) {
          books += judge(evidence, request, findings) ? 1 : 0;
        }
      }
    }
    findings.count(books, "times the whole books");
  }

  /** Whether it told the books. */
  private static boolean judge(Evidence evidence, int request, Findings findings) {
    History history = evidence.history();
    Reply told = Numbered.bare(history.reply(history.answeredOp[request]));
    Bytes asked = history.payload(history.firstOp[request]);
    if (told.kind() != Reply.Kind.OK || asked.length() == 0) {
      return false;
    }
    findings.checked();
    for (int at = 0; at + Long.BYTES <= told.bytes().length(); at += Long.BYTES) {
      if (told.bytes().longAt(at) < 0) {
        findings.violation(() -> "a negative number: " + evidence.tell(request));
      }
    }
    boolean books = asked.at(0) == BOOKS;
    if (books && told.bytes().longAt(0) != told.bytes().longAt(Long.BYTES)) {
      findings.violation(
          () ->
              told.bytes().longAt(0)
                  + " is there, "
                  + told.bytes().longAt(Long.BYTES)
                  + " was brought in: "
                  + evidence.tell(request));
    }
    return books;
  }
}
