package io.onceward.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Scope;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a door may ask of a replica before it takes or refuses a request (K6). */
class ReplicaRoomTest {
  private static final Key UNDATED = Key.text("undated");
  private static final Key DATED = Key.dated(5_000_000, 1);
  private static final Key LATER = Key.dated(50_000_000, 1);

  private final Replica replica = new Replica(new TextService());
  private final List<Decision> decisions = new ArrayList<>();
  private long position;

  private Decision apply(long stampMillis, Request request) {
    List<LogEntry.Proposal> proposals = List.of(new LogEntry.Proposal("alice", request));
    replica.apply(
        ++position,
        1,
        new LogEntry(0, stampMillis, proposals).encode(),
        (ordinal, decision) -> decisions.add(decision));
    return decisions.get(decisions.size() - 1);
  }

  private static Request.Keyed keyed(Key key) {
    return new Request.Keyed(Scope.NONE, key, null, List.of(), Bytes.utf8("x"));
  }

  private static Request.InSession inSession(long session, long sequence) {
    return new Request.InSession(
        new Request.Address(0, session, session), sequence, 1, null, Bytes.utf8("x"));
  }

  @Test
  void undatedKeyIsNotRememberedAfterItsRecordWasDropped() {
    assertThat(replica.remembers("alice", keyed(UNDATED))).isFalse();
    apply(10_000, keyed(UNDATED));
    apply(10_000, keyed(DATED));
    assertThat(replica.remembers("alice", keyed(UNDATED))).isTrue();
    assertThat(replica.remembers("bob", keyed(UNDATED))).isFalse();
    apply(20_000_000, new Request.Forget(15_000_000));
    assertThat(replica.remembers("alice", keyed(UNDATED))).as("it would execute").isFalse();
    assertThat(replica.remembers("alice", keyed(DATED))).as("it is refused for good").isTrue();
    assertThat(replica.remembers("alice", keyed(LATER))).isFalse();
  }

  @Test
  void acknowledgedKeyHasNoReply() {
    assertThat(replica.hasReply("alice", Scope.NONE, UNDATED)).isFalse();
    apply(10_000, keyed(UNDATED));
    assertThat(replica.hasReply("alice", Scope.NONE, UNDATED)).isTrue();
    assertThat(replica.hasReply("bob", Scope.NONE, UNDATED)).isFalse();
    apply(10_000, new Request.Acknowledge(Scope.NONE, List.of(UNDATED)));
    assertThat(replica.hasReply("alice", Scope.NONE, UNDATED)).isFalse();
    apply(10_000, new Request.AbandonKey(Scope.NONE, LATER));
    assertThat(replica.hasReply("alice", Scope.NONE, LATER)).isFalse();
  }

  @Test
  void watermarkMovesUpToTheFirstUndecidedSequence() {
    Decision.Opened opened =
        (Decision.Opened)
            apply(10_000, new Request.Open(ClientKind.REGISTERED, "", 1, 2, 0, 0, false, true, 16));
    long session = opened.session();
    apply(10_000, inSession(session, 1));
    apply(10_000, inSession(session, 2));
    Request.Address address = new Request.Address(0, session, session);
    assertThat(replica.movesWatermark("alice", address, 1)).isFalse();
    assertThat(replica.movesWatermark("alice", address, 2)).isTrue();
    assertThat(replica.movesWatermark("alice", address, 3)).isTrue();
    assertThat(replica.movesWatermark("alice", address, 4)).isFalse();
    assertThat(replica.movesWatermark("bob", address, 2)).isFalse();
    assertThat(replica.movesWatermark("alice", new Request.Address(9, session, session), 2))
        .isFalse();
    apply(10_000, new Request.KeepAlive(address, 3));
    assertThat(replica.movesWatermark("alice", address, 3)).isFalse();
  }

  /** What a door is told beforehand is what the log would decide, whatever has happened (K6). */
  @Test
  void openingOrAbandonMeetsTheLimitThatWasTold() {
    RandomTraffic traffic = new RandomTraffic(3);
    int met = 0;
    for (int i = 0; i < 3_000; i++) {
      LogEntry entry = LogEntry.decode(traffic.next());
      for (LogEntry.Proposal proposal : entry.proposals()) {
        apply(entry.stampMillis(), new Request.Tick());
        Request request = RequestCodec.decode(proposal.frame());
        String told = replica.obstacleToAdding(proposal.principal(), request);
        LogEntry alone = new LogEntry(0, entry.stampMillis(), List.of(proposal));
        replica.apply(++position, 1, alone.encode(), (ordinal, each) -> decisions.add(each));
        Decision decision = decisions.get(decisions.size() - 1);
        traffic.decided(0, decision);
        if (request instanceof Request.Open
            || request instanceof Request.AbandonKey
            || request instanceof Request.AbandonSequence) {
          assertThat(told).as("%s: %s", request, decision).isEqualTo(limit(decision));
          met += told.isEmpty() ? 0 : 1;
        }
      }
    }
    assertThat(met).isGreaterThan(100);
  }

  private static String limit(Decision decision) {
    return decision instanceof Decision.Refused refused && refused.refusal() == Refusal.OVERLOADED
        ? refused.limit()
        : "";
  }
}
