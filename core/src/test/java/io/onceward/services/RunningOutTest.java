package io.onceward.services;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Decision.Replied;
import io.onceward.Reply;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Parameter;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What services let run out goes on running out in a log that is idle but for ticks (T3). */
class RunningOutTest {
  private final Replica replica = new Replica(ServiceDirectory.shipped());
  private final List<Decision> decisions = new ArrayList<>();
  private long position;
  private long stampMillis = 1_000_000;

  @BeforeEach
  void enableServices() {
    apply(new Request.EnableService(ServiceDirectory.LEASE));
    apply(new Request.EnableService(ServiceDirectory.KEY_VALUE));
  }

  @Test
  void leaseAloneKeepsTimePassing() {
    assertThat(replica.anythingCanExpire()).isFalse();
    apply(lease(new LeaseCommand.Acquire("job", "ann", 60_000)));
    assertThat(replica.sessionCount() + replica.keyCount()).isZero();
    assertThat(replica.anythingCanExpire()).isTrue();
    while (replica.anythingCanExpire()) {
      stampMillis += 10_000;
      apply(new Request.Tick());
    }
    assertThat(replica.ageMillis()).isEqualTo(60_000);
    apply(lease(new LeaseCommand.Acquire("job", "bob", 60_000)));
    assertThat(last().reply().kind()).isEqualTo(Reply.Kind.OK);
  }

  /** Else a service that nobody asks any more would keep the room of the others (B5). */
  @Test
  void whatRanOutLeavesRoomForOtherServices() {
    apply(
        new Request.SetParameter(Parameter.MAX_SERVICE_BYTES, Parameter.MAX_SERVICE_BYTES.least()));
    int leases = 0;
    do {
      apply(lease(new LeaseCommand.Acquire("job " + leases, "ann".repeat(40), 5_000)));
      leases++;
    } while (leases < 10_000 && decisions.get(decisions.size() - 1) instanceof Replied);
    assertThat(leases).isBetween(10, 9_999);
    stampMillis += 5_000;
    Request put =
        new Request.Unkeyed(
            ServiceDirectory.address(
                ServiceDirectory.KEY_VALUE,
                KeyValueCommand.encode(
                    new KeyValueCommand.Put(Bytes.utf8("k"), Bytes.of(new byte[10_000])))));
    apply(put);
    assertThat(last().reply().kind()).isEqualTo(Reply.Kind.OK);
  }

  private Replied last() {
    return (Replied) decisions.get(decisions.size() - 1);
  }

  private static Request lease(LeaseCommand command) {
    return new Request.Unkeyed(
        ServiceDirectory.address(ServiceDirectory.LEASE, LeaseCommand.encode(command)));
  }

  private void apply(Request request) {
    position++;
    byte[] entry =
        new LogEntry(0, stampMillis, List.of(new LogEntry.Proposal("anonymous", request))).encode();
    replica.apply(position, 1, entry, (ordinal, decision) -> decisions.add(decision));
  }
}
