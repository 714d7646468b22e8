package io.onceward.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.ClusterId;
import io.onceward.Key;
import io.onceward.Outcome;
import io.onceward.Reply;
import io.onceward.RequestId;
import io.onceward.Scope;
import io.onceward.client.Decided;
import io.onceward.replica.Request;
import io.onceward.services.CounterReply;
import io.onceward.wire.NodeStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A small run with right books; each test plants one thing that is wrong and expects its name. */
@Timeout(30)
class ProofTest {
  @TempDir Path folder;
  private final FakeCluster cluster = new FakeCluster();
  private final List<Line> records = new ArrayList<>();
  private boolean killed;

  /** Says what it is told to say. */
  private static final class FakeCluster implements Witness {
    final Map<RequestId, Outcome> outcomes = new HashMap<>();
    final Map<String, Long> counters = new HashMap<>();
    final Map<String, Long> balances = new HashMap<>();
    final List<NodeStatus> nodes = new ArrayList<>();
    Decided resent;
    boolean silent;

    @Override
    public CompletableFuture<Outcome> outcome(RequestId id) {
      return silent
          ? new CompletableFuture<>()
          : CompletableFuture.completedFuture(outcomes.getOrDefault(id, new Outcome.NeverSeen()));
    }

    @Override
    public CompletableFuture<Decided> resend(RequestId.OfKey id, Errand errand) {
      return CompletableFuture.completedFuture(resent);
    }

    @Override
    public CompletableFuture<Long> counter(String name) {
      return CompletableFuture.completedFuture(counters.getOrDefault(name, 0L));
    }

    @Override
    public CompletableFuture<Long> balance(String account) {
      return CompletableFuture.completedFuture(balances.getOrDefault(account, 0L));
    }

    @Override
    public CompletableFuture<Long> total() {
      return CompletableFuture.completedFuture(
          balances.values().stream().mapToLong(Long::longValue).sum());
    }

    @Override
    public CompletableFuture<List<NodeStatus>> digests() {
      return CompletableFuture.completedFuture(nodes);
    }
  }

  @BeforeEach
  void rightBooks() {
    told("t1", 1, new Errand.Deposit("account-1", 100), Reply.ok("done"), 10);
    told("t2", 2, new Errand.Add("hits-1", 5), count(5), 11);
    told("t3", 3, new Errand.Add("hits-1", 2), count(7), 12);
    told("t4", 4, new Errand.Move("account-1", "account-2", 30), Reply.ok("done"), 13);
    told("t5", 5, new Errand.Move("account-2", "account-1", 31), Reply.businessError("no"), 14);
    records.add(new Line.Asked("t6", 1, new Errand.Add("hits-1", 9)));
    records.add(new Line.Abandoned("t6", sequence(6)));
    cluster.outcomes.put(sequence(1), new Outcome.Acknowledged());
    cluster.outcomes.put(sequence(6), new Outcome.Abandoned());
    cluster.counters.put("hits-1", 7L);
    cluster.balances.put("account-1", 70L);
    cluster.balances.put("account-2", 30L);
    cluster.nodes.add(status("node1", 20, "d1"));
    cluster.nodes.add(status("node2", 20, "d1"));
  }

  private static RequestId sequence(long sequence) {
    return new RequestId.OfSequence(new Request.Address(1, 2, 3), sequence);
  }

  private static Reply count(long value) {
    return Reply.ok(CounterReply.encode(new CounterReply(value)));
  }

  private static NodeStatus status(String id, long position, String digest) {
    return new NodeStatus(
        id,
        "0.1.0",
        new ClusterId(1, 2),
        "follower",
        "node1",
        List.of(),
        1,
        position,
        position,
        0,
        0,
        0,
        0,
        0,
        0,
        digest,
        0,
        0,
        0,
        0,
        List.of(),
        null);
  }

  private void told(String tag, long sequence, Errand errand, Reply reply, long position) {
    records.add(new Line.Asked(tag, 1, errand));
    records.add(new Line.Told(tag, sequence(sequence), reply, false, position, 1_000));
    cluster.outcomes.put(sequence(sequence), new Outcome.Executed(reply, position, 1_000));
  }

  private List<Finding> findings() throws IOException {
    Path file = folder.resolve("client.record");
    try (RecordFile record = RecordFile.create(file)) {
      for (Line line : records) {
        record.write(line);
      }
    }
    return new Proof(
            cluster,
            List.of(new Proof.Client("client1", List.of(file), killed)),
            Duration.ofMillis(300),
            step -> {})
        .findings();
  }

  private String onlyObjection() throws IOException {
    List<String> objections = new ArrayList<>();
    findings().forEach(finding -> objections.addAll(finding.objections()));
    assertThat(objections).hasSize(1);
    return objections.get(0);
  }

  @Test
  void rightBooksHold() throws IOException {
    List<Finding> findings = findings();

    assertThat(findings).allMatch(Finding::holds);
    assertThat(findings.get(0).numbers())
        .isEqualTo(
            "6 asked = 5 replied + 1 abandoned + 0 died with their client before they were sent");
    assertThat(findings.get(1).numbers())
        .isEqualTo("6 ids: 4 the same reply byte for byte, 1 acknowledged, 1 abandoned");
  }

  @Test
  void aCounterThatAddedTwiceIsNamed() throws IOException {
    cluster.counters.put("hits-1", 12L);

    assertThat(onlyObjection())
        .isEqualTo("hits-1 is 12, but the additions that were told add up to 7");
  }

  @Test
  void anAdditionThatTookEffectTwiceBreaksTheChain() throws IOException {
    told("t7", 7, new Errand.Add("hits-1", 1), count(10), 15);
    cluster.counters.put("hits-1", 8L);

    assertThat(onlyObjection())
        .contains("hits-1: an addition of 1 was told the new value 10")
        .contains("the value before it was 7");
  }

  @Test
  void moneyThatMovedTwiceIsNamed() throws IOException {
    cluster.balances.put("account-1", 40L);
    cluster.balances.put("account-2", 60L);

    List<String> objections = findings().get(6).objections();

    assertThat(objections).hasSize(2);
    assertThat(objections.get(0)).startsWith("account-1 holds 40, but deposit and transfers");
    assertThat(objections.get(1)).startsWith("account-2 holds 60, but deposit and transfers");
  }

  @Test
  void moneyFromNowhereIsNamed() throws IOException {
    cluster.balances.put("account-9", 1L);

    assertThat(onlyObjection()).startsWith("the ledger says it holds 101");
  }

  @Test
  void anOutcomeThatDiffersFromWhatWasToldIsNamed() throws IOException {
    cluster.outcomes.put(sequence(3), new Outcome.Executed(count(9), 12, 1_000));

    assertThat(onlyObjection())
        .startsWith("client1 was told OK ")
        .contains("for " + sequence(3) + ", but now its outcome is OK ");
  }

  @Test
  void aRequestThatTheClusterForgotIsNamed() throws IOException {
    cluster.outcomes.remove(sequence(4));

    assertThat(onlyObjection()).contains(sequence(4) + ", but now its outcome is NeverSeen");
  }

  @Test
  void anAbandonedRequestThatExecutedIsNamed() throws IOException {
    cluster.outcomes.put(sequence(6), new Outcome.Executed(count(16), 19, 1_000));

    assertThat(onlyObjection()).contains(sequence(6) + " is abandoned, but now its outcome is OK");
  }

  @Test
  void aClientThatCameBackIsToldTheSameUnderItsNewIncarnation() throws IOException {
    RequestId now = new RequestId.OfSequence(new Request.Address(1, 2, 4), 3);
    records.add(new Line.Told("t3", now, count(7), true, 12, 1_000));
    cluster.outcomes.put(now, new Outcome.Executed(count(7), 12, 1_000));

    assertThat(findings()).allSatisfy(finding -> assertThat(finding.objections()).isEmpty());
  }

  @Test
  void aSecondAnswerThatDiffersIsNamed() throws IOException {
    RequestId key = new RequestId.OfKey(Scope.NONE, Key.text("k"));
    records.add(new Line.Asked("t7", 2, new Errand.Add("hits-1", 1)));
    records.add(new Line.Told("t7", key, count(8), false, 15, 1_000));
    records.add(new Line.Told("t7", key, count(9), true, 15, 1_000));
    cluster.outcomes.put(key, new Outcome.Executed(count(8), 15, 1_000));
    cluster.counters.put("hits-1", 8L);

    List<Finding> findings = findings();

    assertThat(findings.get(0).objections())
        .singleElement()
        .asString()
        .startsWith("client1 was told two things about " + key.print());
    assertThat(findings.get(1).holds()).isFalse();
  }

  /** A request by key whose reply is kept, sent again at the end. */
  private void keyedAndSentAgain(Reply reply, boolean replay) {
    RequestId key = new RequestId.OfKey(Desk.KEPT, Key.text("k"));
    records.add(new Line.Asked("t7", 1, new Errand.Add("hits-1", 1)));
    records.add(new Line.Told("t7", key, count(8), false, 15, 1_000));
    cluster.outcomes.put(key, new Outcome.Executed(count(8), 15, 1_000));
    cluster.counters.put("hits-1", 8L);
    cluster.resent = new Decided(key, reply, replay, 15, 1_000);
  }

  @Test
  void aKeyThatIsSentAgainGetsItsFirstReply() throws IOException {
    keyedAndSentAgain(count(8), true);

    List<Finding> findings = findings();

    assertThat(findings).allMatch(Finding::holds);
    assertThat(findings.get(2).numbers()).startsWith("1 requests by key");
  }

  @Test
  void aKeyThatExecutesAgainIsNamed() throws IOException {
    keyedAndSentAgain(count(8), false);

    assertThat(onlyObjection()).contains("s:k was sent again and got OK", "newly executed");
  }

  @Test
  void aKeyThatGetsAnotherReplyIsNamed() throws IOException {
    keyedAndSentAgain(count(9), true);

    assertThat(onlyObjection()).contains("s:k was sent again and got OK", "replayed");
  }

  @Test
  void aRestartedClientMayBeToldTheSameAgain() throws IOException {
    killed = true;
    records.add(new Line.Told("t4", sequence(4), Reply.ok("done"), true, 13, 1_000));

    assertThat(findings()).allMatch(Finding::holds);
  }

  @Test
  void aRequestWithoutADecisionIsNamed() throws IOException {
    records.add(new Line.Asked("t8", 1, new Errand.Add("hits-1", 4)));

    assertThat(onlyObjection())
        .isEqualTo("client1 was never told what became of \"add hits-1 4\" (t8)");
  }

  @Test
  void whatDiedWithItsClientBeforeItWasSentIsCounted() throws IOException {
    killed = true;
    records.add(new Line.Asked("t8", 1, new Errand.Add("hits-1", 4)));

    List<Finding> findings = findings();

    assertThat(findings).allMatch(Finding::holds);
    assertThat(findings.get(0).numbers())
        .endsWith("+ 1 died with their client before they were sent");
  }

  @Test
  void requestsOutOfOrderAreNamed() throws IOException {
    told("t7", 7, new Errand.Add("hits-1", 1), count(8), 9);
    cluster.counters.put("hits-1", 8L);

    assertThat(onlyObjection())
        .contains("sequence 7 of session 2 executed at position 9, before sequence 5 at 14");
  }

  @Test
  void complaintsOfClientsAreObjections() throws IOException {
    records.add(new Line.Complaint("session lost"));

    assertThat(onlyObjection()).isEqualTo("client1: session lost");
  }

  @Test
  void digestsThatDifferAreNamed() throws IOException {
    cluster.nodes.set(1, status("node2", 20, "d2"));

    assertThat(onlyObjection()).isEqualTo("the digests differ: {node1=d1, node2=d2}");
  }

  @Test
  void nodesThatDoNotCatchUpAreNamed() throws IOException {
    cluster.nodes.set(1, status("node2", 19, "d1"));

    assertThat(onlyObjection())
        .isEqualTo("the nodes did not reach the same position: {node1=20, node2=19}");
  }

  @Test
  void aSilentClusterIsAnObjectionAndNoHang() throws IOException {
    cluster.silent = true;

    assertThat(onlyObjection()).startsWith("the cluster answered nothing for");
  }
}
