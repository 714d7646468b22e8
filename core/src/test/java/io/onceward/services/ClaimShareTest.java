package io.onceward.services;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Decision.Refused;
import io.onceward.Decision.Replied;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.GuardedId;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Parameter;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Claims at the limits of a shipped node, where all services together may take far less than the
 * build allows to claims alone: one client must not shut the others, nor the other services (B5).
 */
class ClaimShareTest {
  /** A quarter of the heap that a node has unless told otherwise. */
  private static final long SERVICE_BYTES = 160L << 20;

  private static final ClaimTerms LONGEST =
      new ClaimTerms(ServiceLimits.CLAIM_LEASE_MILLIS, Long.MAX_VALUE);
  private static final ClaimTerms SHORT = new ClaimTerms(1, Long.MAX_VALUE);
  private static final String MEMO = "m".repeat(Ask.MAX_MEMO_BYTES);

  private final ClusterId cluster = new ClusterId(7, 11);
  private Replica replica = new Replica(ServiceDirectory.shipped());
  private long position;
  private long timeMillis = 1_000_000;
  private int claims;

  @BeforeEach
  void form() {
    apply("admin", new Request.FormCluster(cluster), 0);
    for (String service : List.of(ServiceDirectory.CLAIMS, ServiceDirectory.KEY_VALUE)) {
      apply("admin", new Request.EnableService(service), cluster.tag());
    }
    apply(
        "admin",
        new Request.SetParameter(Parameter.MAX_SERVICE_BYTES, SERVICE_BYTES),
        cluster.tag());
  }

  /** As many as a client can start whose runs never end. */
  private int startedBy(String principal) {
    int started = 0;
    while (claim(principal, "mallory", "charge", LONGEST) instanceof ClaimReply.Started) {
      started++;
    }
    return started;
  }

  @Test
  void runsThatNeverEndLeaveRoomForOtherServices() throws IOException {
    assertThat(startedBy("mallory")).isBetween(1_200, 1_280);
    assertThat(claim("mallory", "mallory", "charge", LONGEST))
        .isEqualTo(new ClaimReply.Refused(Refusal.OVERLOADED, "CLAIMS_BYTES"));
    assertThat(replica.serviceBytes()).isBetween(SERVICE_BYTES / 2 - (1 << 20), SERVICE_BYTES / 2);
    for (int i = 0; i < 1_000; i++) {
      assertThat(put(i, 48 << 10)).isInstanceOf(Replied.class);
    }
    assertThat(claim("alice", "alice", "charge", LONGEST)).isEqualTo(new ClaimReply.Started(1));
    Replica whole = replica;
    restore();
    assertThat(claim("bob", "bob", "charge", LONGEST)).isEqualTo(new ClaimReply.Started(1));
    claims--;
    position--;
    replica = whole;
    assertThat(claim("bob", "bob", "charge", LONGEST)).isEqualTo(new ClaimReply.Started(1));
    String digest = replica.digest();
    restore();
    assertThat(replica.digest()).isEqualTo(digest);
  }

  /** A principal's part is of what there is: where others hold much, it is less. */
  @Test
  void shareIsOfTheRoomThatOtherServicesLeave() {
    for (int i = 0; i < 2_500; i++) {
      assertThat(put(i, 48 << 10)).isInstanceOf(Replied.class);
    }
    long free = SERVICE_BYTES - replica.serviceBytes();
    long most = free / 2 / ServiceLimits.CLAIM_REPLY_BYTES;
    assertThat((long) startedBy("mallory")).isBetween(most * 9 / 10, most);
    assertThat(startedBy("alice")).isPositive();
    for (int i = 0; i < 50; i++) {
      assertThat(put(10_000 + i, 48 << 10)).isInstanceOf(Replied.class);
    }
  }

  @Test
  void raisedLimitOfServicesRaisesTheShares() {
    int first = startedBy("mallory");
    apply(
        "admin",
        new Request.SetParameter(Parameter.MAX_SERVICE_BYTES, 2 * SERVICE_BYTES),
        cluster.tag());
    assertThat(startedBy("mallory")).isBetween(first - 10, first + 10);
  }

  /** Nobody says a word of these runs, and nobody resolves them. */
  @Test
  void unknownRequestsOfOneOperationDoNotShutTheOthers() {
    int unknown = 0;
    ClaimReply last = new ClaimReply.Started(1);
    while (last instanceof ClaimReply.Started) {
      timeMillis += 10;
      last = claim("shop", "user", "charge", SHORT);
      unknown++;
    }
    assertThat(last).isEqualTo(new ClaimReply.Refused(Refusal.OVERLOADED, "unknown requests"));
    assertThat(unknown).isGreaterThan(5_000);
    assertThat(replica.serviceBytes())
        .as("half of the half that one principal may hold")
        .isBetween(SERVICE_BYTES / 4 - (1 << 20), SERVICE_BYTES / 4 + (1 << 20));
    assertThat(claim("shop", "user", "mail", LONGEST)).isEqualTo(new ClaimReply.Started(1));
    assertThat(claim("shop", "other", "charge", LONGEST)).isEqualTo(new ClaimReply.Started(1));
    assertThat(claim("bank", "user", "charge", LONGEST)).isEqualTo(new ClaimReply.Started(1));
    assertThat(put(1, 48 << 10)).isInstanceOf(Replied.class);
  }

  /** What is full is full for a while: then leases end, and what they held is free. */
  @Test
  void roomComesBackWhenTheLongestLeaseEnds() {
    int started = startedBy("mallory");
    for (long end = timeMillis + ServiceLimits.CLAIM_LEASE_MILLIS; timeMillis <= end; ) {
      timeMillis += 10_000;
      apply("admin", new Request.Tick(), cluster.tag());
    }
    assertThat(replica.serviceBytes()).isLessThan(started * 8_192L);
    assertThat(claim("alice", "alice", "mail", LONGEST)).isEqualTo(new ClaimReply.Started(1));
  }

  private ClaimReply claim(String principal, String guarded, String operation, ClaimTerms terms) {
    GuardedId id = new GuardedId(guarded, Scope.NONE, Key.text("order " + claims++));
    ClaimCommand command =
        new ClaimCommand.Claim("guard", new Ask(id, null, operation, MEMO), terms);
    Decision decision = send(principal, ServiceDirectory.CLAIMS, ClaimCommand.encode(command));
    if (decision instanceof Refused refused) {
      return new ClaimReply.Refused(refused.refusal(), "all " + refused.limit());
    }
    Reply reply = ((Replied) decision).reply();
    assertThat(reply.kind()).isEqualTo(Reply.Kind.OK);
    return ClaimReply.decode(reply.bytes());
  }

  private Decision put(int number, int length) {
    Bytes value = Bytes.of(new byte[length]);
    return send(
        "shop",
        ServiceDirectory.KEY_VALUE,
        KeyValueCommand.encode(new KeyValueCommand.Put(Bytes.utf8("key " + number), value)));
  }

  private Decision send(String principal, String service, Bytes command) {
    return apply(
        principal, new Request.Unkeyed(ServiceDirectory.address(service, command)), cluster.tag());
  }

  private Decision apply(String principal, Request request, long tag) {
    List<Decision> decisions = new ArrayList<>();
    LogEntry entry =
        new LogEntry(tag, timeMillis, List.of(new LogEntry.Proposal(principal, request)));
    replica.apply(++position, 1, entry.encode(), (ordinal, decision) -> decisions.add(decision));
    return decisions.get(0);
  }

  private void restore() throws IOException {
    ByteArrayOutputStream snapshot = new ByteArrayOutputStream();
    replica.freeze().writeTo(snapshot);
    replica =
        Replica.restore(
            ServiceDirectory.shipped(), 3, new ByteArrayInputStream(snapshot.toByteArray()));
  }
}
