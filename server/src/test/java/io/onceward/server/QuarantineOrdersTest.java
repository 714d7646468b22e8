package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.ClusterId;
import io.onceward.replica.LogEntry;
import io.onceward.replica.LogPlace;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import io.onceward.server.ServerSettings.Quarantined;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuarantineOrdersTest {
  private static final ClusterId HERE = new ClusterId(1, 2);
  private static final ClusterId ELSEWHERE = new ClusterId(3, 4);
  private static final Request COMMAND = new Request.Unkeyed(Bytes.utf8("5"));

  private final QuarantineOrders orders =
      new QuarantineOrders(
          List.of(
              new Quarantined(2, 0),
              new Quarantined(new LogPlace(2, 1), HERE),
              new Quarantined(new LogPlace(2, 2), ELSEWHERE)));
  private final Replica replica = orders.giveTo(new Replica(new AddingService()));

  private void apply(long position, long tag, Request... requests) {
    List<LogEntry.Proposal> proposals =
        Arrays.stream(requests).map(one -> new LogEntry.Proposal("ann", one)).toList();
    replica.apply(position, 1, new LogEntry(tag, 1_000, proposals).encode(), null);
  }

  @Test
  void orderIsObeyedInItsOwnClusterOnlyAndReported() {
    apply(1, 0, new Request.FormCluster(HERE));
    assertThat(orders.applied(replica)).isEmpty();
    assertThat(orders.restored(replica))
        .singleElement()
        .asString()
        .startsWith("--quarantine 2/2@" + ELSEWHERE + " can be removed");
    apply(2, HERE.tag(), COMMAND, COMMAND, COMMAND);
    assertThat(replica.unconfirmedQuarantines())
        .containsExactly(new LogPlace(2, 0), new LogPlace(2, 1));
    assertThat(orders.applied(replica)).hasSize(3);
    assertThat(orders.applied(replica).get(1))
        .isEqualTo(
            "request 2/1 was answered as FAILED and not executed, since this node was started with"
                + " --quarantine 2/1@"
                + HERE);
    assertThat(orders.applied(replica).get(2))
        .startsWith("--quarantine 2/2@" + ELSEWHERE + " is of another cluster than this one");
    apply(3, HERE.tag(), COMMAND);
    assertThat(orders.applied(replica)).isEmpty();
    assertThat(orders.restored(replica)).hasSize(3);
  }
}
