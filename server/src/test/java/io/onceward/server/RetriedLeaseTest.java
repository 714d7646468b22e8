package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.replica.Request;
import io.onceward.services.LeaseCommand;
import io.onceward.services.LeaseReply;
import io.onceward.services.ServiceDirectory;
import io.onceward.wire.Answer;
import io.onceward.wire.Member;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The standard example: a lease is acquired, the answer is lost, the leader dies, the client asks
 * its successor again. Without a memory of requests it would be told that somebody holds the lease:
 * itself (E1, E2, E3).
 */
@Timeout(120)
class RetriedLeaseTest {
  private static final Key KEY = Key.text("acquire once");

  @TempDir Path folder;
  private final List<OncewardServer> servers = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (OncewardServer server : servers) {
      server.close();
    }
  }

  private static Bytes acquiring(String holder) {
    return ServiceDirectory.address(
        ServiceDirectory.LEASE,
        LeaseCommand.encode(new LeaseCommand.Acquire("printer", holder, 600_000)));
  }

  private static Request keyed(Key key, String holder) {
    Bytes command = acquiring(holder);
    return new Request.Keyed(Scope.NONE, key, Fingerprint.ofPayload(command), List.of(), command);
  }

  private static Request inSession(Request.Address address, String holder) {
    Bytes command = acquiring(holder);
    return new Request.InSession(address, 1, 1, Fingerprint.ofPayload(command), command);
  }

  @Test
  void retryAfterLeaderChangeGetsTheFirstAnswer() throws Exception {
    List<Member> members = FreePorts.members(3, i -> "n" + i);
    for (Member member : members) {
      servers.add(
          OncewardServer.start(
              ServerSettings.of(folder.resolve(member.id()), member, members),
              ServiceDirectory.shipped()));
    }
    OncewardServer first = leader();
    Decision.Replied granted;
    Decision.Replied refused;
    Request.Address session;
    try (RawClient client = new RawClient(first.clientPort())) {
      granted = replied(client, keyed(KEY, "alice"));
      assertThat(granted.replay()).isFalse();
      assertThat(LeaseReply.decode(granted.reply().bytes())).isInstanceOf(LeaseReply.Granted.class);
      Answer.Decided opened =
          (Answer.Decided)
              client.log(
                  new Request.Open(
                      io.onceward.ClientKind.REGISTERED, "", 1, 2, 0, 0, false, true, 0));
      Decision.Opened open = (Decision.Opened) opened.decision();
      session = new Request.Address(opened.clusterTag(), open.session(), open.incarnation());
      refused = replied(client, inSession(session, "bob"));
      assertThat(refused.reply().kind()).isEqualTo(Reply.Kind.BUSINESS_ERROR);
    }
    servers.remove(first);
    first.close();

    try (RawClient client = new RawClient(leader().clientPort())) {
      assertSame(granted, replied(client, keyed(KEY, "alice")));
      assertSame(refused, replied(client, inSession(session, "bob")));
      // A request of its own is told the truth about now.
      Decision.Replied other = replied(client, keyed(Key.text("another"), "carol"));
      assertThat(other.reply().kind()).isEqualTo(Reply.Kind.BUSINESS_ERROR);
    }
  }

  private static void assertSame(Decision.Replied first, Decision.Replied retried) {
    assertThat(retried.replay()).isTrue();
    assertThat(retried.reply()).isEqualTo(first.reply());
    assertThat(retried.position()).isEqualTo(first.position());
    assertThat(retried.timeMillis()).isEqualTo(first.timeMillis());
  }

  /** Asks the leader, which may be new and not know yet what it may answer. */
  private static Decision.Replied replied(RawClient client, Request request) {
    while (true) {
      if (client.log(request) instanceof Answer.Decided decided) {
        if (decided.decision() instanceof Decision.Replied replied) {
          return replied;
        }
      }
      LockSupport.parkNanos(10_000_000);
    }
  }

  private OncewardServer leader() {
    while (true) {
      for (OncewardServer server : servers) {
        if (server.status().role().equals("leader")) {
          return server;
        }
      }
      LockSupport.parkNanos(10_000_000);
    }
  }
}
