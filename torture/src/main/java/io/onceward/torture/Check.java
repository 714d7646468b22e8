package io.onceward.torture;

import io.onceward.testkit.history.HistoryCheck;
import io.onceward.testkit.history.HistoryOptions;
import io.onceward.testkit.history.ServiceKind;
import io.onceward.testkit.history.UnresolvedRequest;
import io.onceward.torture.client.Workload;
import io.onceward.wire.NodeStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** Holds the histories of all processes of a run against what was promised. */
final class Check {
  /** Part of the history is judged once more by search, which knows nothing of serials. */
  private static final Duration SEARCH = Duration.ofSeconds(20);

  private static final int SEARCHED_OPS_PER_KEY = 200;

  private final List<Path> histories;

  Check(List<Path> histories) {
    this.histories = List.copyOf(histories);
  }

  /** Finds out the fate of requests under keys whose senders are dead. */
  void settle(House house) throws IOException, InterruptedException {
    for (UnresolvedRequest request : UnresolvedRequest.in(histories)) {
      // Names of sessions' requests, which only their own processes can ask for.
      if (!request.id().startsWith("client")) {
        house.settle(request.service(), request.id());
      }
    }
  }

  /** Whether it is the name of a request in a journal; no other id has a space. */
  private static boolean isTag(String id) {
    return id.indexOf(' ') >= 0;
  }

  HistoryCheck judge(
      Map<String, Long> lastSerials,
      Map<String, NodeStatus> nodes,
      BiConsumer<String, Double> progress)
      throws IOException {
    HistoryOptions options =
        new HistoryOptions()
            .progress(progress)
            .journaled(Check::isTag)
            .search(SEARCH, SEARCHED_OPS_PER_KEY);
    for (String service : Workload.SERVICES.keySet()) {
      options.service(service, kind(service));
    }
    lastSerials.forEach(options::finalSerial);
    nodes.forEach((id, status) -> options.finalState(id, status.position(), status.digest()));
    return HistoryCheck.of(histories, options);
  }

  private static ServiceKind kind(String service) {
    return switch (service) {
      case "counters" -> ServiceKind.COUNTERS;
      case "registers" -> ServiceKind.REGISTERS;
      case "lists" -> ServiceKind.LISTS;
      case "leases" -> ServiceKind.LEASES;
      case "accounts" -> ServiceKind.ACCOUNTS;
      default -> throw new IllegalArgumentException("no service " + service);
    };
  }
}
