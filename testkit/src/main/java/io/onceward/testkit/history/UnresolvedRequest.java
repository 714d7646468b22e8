package io.onceward.testkit.history;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A request that was sent and about which nobody heard a decision, because its sender died, say. A
 * harness can ask for its outcome, and record that as an inquiry, before it judges the run.
 */
public record UnresolvedRequest(String service, String id) {

  /** All of them that have an id, in the order in which they were recorded. */
  public static List<UnresolvedRequest> in(List<Path> files) throws IOException {
    History history = History.read(files);
    List<UnresolvedRequest> unresolved = new ArrayList<>();
    for (int request = 0; request < history.requests; request++) {
      if (history.fate(request) == Fate.UNRESOLVED
          && !history.isQuery(request)
          && history.wasSent(request)) {
        int op = history.firstOp[request];
        String id = history.id(op);
        if (!id.isEmpty()) {
          unresolved.add(new UnresolvedRequest(history.serviceName(op), id));
        }
      }
    }
    return unresolved;
  }
}
