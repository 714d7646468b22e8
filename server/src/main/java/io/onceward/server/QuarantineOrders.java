package io.onceward.server;

import io.onceward.ClusterId;
import io.onceward.replica.LogPlace;
import io.onceward.replica.Replica;
import io.onceward.server.ServerSettings.Quarantined;
import java.util.ArrayList;
import java.util.List;

/**
 * The requests that an operator wants this node to answer as failed (E8), and what an operator
 * should know of them: that one was obeyed, or is of another cluster, or can be removed from the
 * settings.
 */
final class QuarantineOrders {
  private final List<Quarantined> orders;

  QuarantineOrders(List<Quarantined> orders) {
    this.orders = orders;
  }

  /** Gives them to a replica, which knows nothing of them yet. */
  Replica giveTo(Replica replica) {
    for (Quarantined order : orders) {
      ClusterId cluster = order.cluster();
      if (cluster == null) {
        replica.quarantine(order.position(), order.ordinal());
      } else {
        replica.quarantine(order.place(), cluster);
      }
    }
    return replica;
  }

  /** An entry was applied; what to say about the requests in it. */
  List<String> applied(Replica replica) {
    if (orders.isEmpty()) {
      return List.of();
    }
    List<LogPlace> obeyed = replica.unconfirmedQuarantines();
    List<String> news = new ArrayList<>();
    for (Quarantined order : orders) {
      if (order.position() != replica.position()) {
        continue;
      }
      if (obeyed.contains(order.place())) {
        news.add(
            "request "
                + order.place()
                + " was answered as FAILED and not executed, since this node was started with"
                + " --quarantine "
                + order);
      } else if (!order.isOf(replica.clusterId())) {
        news.add(
            "--quarantine "
                + order
                + " is of another cluster than this one, "
                + replica.clusterId()
                + ", so it was ignored; remove it from the settings of this node");
      }
    }
    return news;
  }

  /** A snapshot was restored; what it makes superfluous. */
  List<String> restored(Replica replica) {
    List<String> news = new ArrayList<>();
    for (Quarantined order : orders) {
      if (order.position() <= replica.position() || !order.isOf(replica.clusterId())) {
        news.add(
            "--quarantine "
                + order
                + " can be removed from the settings of this node: "
                + (order.isOf(replica.clusterId())
                    ? "its snapshot is already behind that request"
                    : "it is of another cluster"));
      }
    }
    return news;
  }
}
