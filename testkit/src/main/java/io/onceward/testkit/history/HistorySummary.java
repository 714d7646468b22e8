package io.onceward.testkit.history;

/**
 * A run in numbers.
 *
 * @param files recorded files, one per process
 * @param tornFiles how many of them end in the middle of an event, because their writer was killed
 * @param ops all that clients set out to do: copies of requests, queries, inquiries
 * @param queries how many of the ops are queries
 * @param requests different requests, however many copies were sent
 * @param decided requests that are known to have executed
 * @param replayed answers that were remembered from an earlier copy
 * @param refused ops that were refused
 * @param unknown requests about which nobody learned whether they executed
 * @param holes serials that nobody was told
 */
public record HistorySummary(
    int files,
    int tornFiles,
    long ops,
    long queries,
    long requests,
    long decided,
    long replayed,
    long refused,
    long unknown,
    long holes) {

  static HistorySummary of(Evidence evidence) {
    History history = evidence.history();
    int torn = 0;
    for (HistoryFile file : history.files()) {
      torn += file.tornBytes() > 0 ? 1 : 0;
    }
    long queries = 0;
    long replayed = 0;
    long refused = 0;
    for (int op = 0; op < history.ops; op++) {
      queries += history.kind(op) == OpKind.QUERY ? 1 : 0;
      replayed += history.resultOf[op] == History.ANSWERED && history.isReplay(op) ? 1 : 0;
      refused += history.resultOf[op] == History.REFUSED ? 1 : 0;
    }
    long requests = 0;
    long decided = 0;
    long unknown = 0;
    for (int request = 0; request < history.requests; request++) {
      if (!history.isQuery(request) && history.wasSent(request)) {
        Fate fate = history.fate(request);
        requests++;
        decided += fate == Fate.ANSWERED || fate == Fate.UNTOLD ? 1 : 0;
        unknown += fate == Fate.UNRESOLVED ? 1 : 0;
      }
    }
    long holes = 0;
    for (ServiceOrder order : evidence.orders()) {
      for (int serial = 1; serial <= order.last; serial++) {
        holes += order.bySerial[serial] < 0 ? 1 : 0;
      }
    }
    return new HistorySummary(
        history.files().size(),
        torn,
        history.ops,
        queries,
        requests,
        decided,
        replayed,
        refused,
        unknown,
        holes);
  }
}
