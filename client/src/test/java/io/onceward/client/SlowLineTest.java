package io.onceward.client;

import static io.onceward.client.Await.failure;
import static io.onceward.client.Await.join;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Executed;
import io.onceward.RequestId;
import io.onceward.replica.Request;
import io.onceward.services.CounterCommand;
import io.onceward.services.KeyValueCommand;
import io.onceward.services.ServiceDirectory;
import io.onceward.wire.Question;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** More is asked than the line can take, or the line takes nothing at all for a while. */
class SlowLineTest {
  private static final int LARGE = 300;

  private final FakeLog log = new FakeLog();
  private final FakeNode node = new FakeNode(log);
  private final UnreliableTransport transport = new UnreliableTransport();
  private final AtomicInteger arrived = new AtomicInteger();
  private Onceward onceward;

  @AfterEach
  void close() {
    if (onceward != null) {
      onceward.close();
    }
    node.close();
  }

  private Onceward.Builder builder() {
    return Onceward.builder()
        .address(node.address())
        .retryDelay(Duration.ofMillis(20))
        .answerTimeout(Duration.ofMillis(150));
  }

  /** The node takes some milliseconds to read each command, so that the line is congested. */
  private void slowDown() {
    node.losesQuestion =
        (any, question) -> {
          if (FakeNode.requestOf(question) instanceof Request.InSession) {
            arrived.incrementAndGet();
            LockSupport.parkNanos(4_000_000);
          }
          return false;
        };
  }

  private static List<CompletableFuture<Decided>> submitLarge(Session session) {
    Bytes value = Bytes.of(new byte[32 << 10]);
    List<CompletableFuture<Decided>> all = new ArrayList<>();
    for (int i = 0; i < LARGE; i++) {
      all.add(
          session.submit(
              ServiceDirectory.KEY_VALUE,
              KeyValueCommand.encode(new KeyValueCommand.Put(Bytes.utf8("k" + i), value))));
    }
    return all;
  }

  private static Bytes add() {
    return CounterCommand.encode(new CounterCommand.Add("x", 1));
  }

  @Test
  void requestsBehindACongestedLineAreSentOnce_C1() {
    onceward = builder().build();
    Session session = join(onceward.openSession());
    slowDown();
    submitLarge(session).forEach(Await::join);
    assertThat(arrived.get()).isEqualTo(LARGE);
    assertThat(onceward.traffic().connectionsLost()).as("it was slow, not dead").isZero();
  }

  @Test
  void otherSessionsGetTheirTurn_C4() {
    onceward = builder().build();
    Session busy = join(onceward.openSession());
    Session other = join(onceward.openSession());
    slowDown();
    List<CompletableFuture<Decided>> large = submitLarge(busy);
    join(other.submit("counter", add()));
    long ahead = large.stream().filter(CompletableFuture::isDone).count();
    assertThat(ahead).isLessThan(LARGE / 2);
    large.forEach(Await::join);
  }

  @Test
  void commandThatNeverLeftIsSentOverTheNextConnection_E10() {
    onceward = builder().answerTimeout(Duration.ofSeconds(10)).build(transport);
    join(onceward.openSession());
    transport.ready = false;
    CompletableFuture<?> unkeyed = onceward.unkeyed("counter", add());
    node.hangUp();
    Await.until("the connection is lost", () -> onceward.traffic().connectionsLost() > 0);
    transport.ready = true;
    join(unkeyed);
    assertThat(join(Counters.of(onceward.keyed()).get("x"))).isEqualTo(1);
  }

  @Test
  void commandThatNeverLeftIsNotCalledUnknown_O3() {
    onceward =
        builder()
            .answerTimeout(Duration.ofSeconds(10))
            .patience(Duration.ofMillis(200))
            .build(transport);
    join(onceward.openSession());
    transport.ready = false;
    UnreachableException unreachable =
        failure(onceward.unkeyed("counter", add()), UnreachableException.class);
    assertThat(unreachable.executed()).isEqualTo(Executed.NEVER);
    assertThat(unreachable).hasMessageContaining("it did nothing");
    transport.ready = true;
    transport.execute(node::hangUp);
    assertThat(join(Counters.of(onceward.keyed()).get("x"))).isZero();
  }

  @Test
  void abandonReplacesTheCommandThatWaits_O2() {
    onceward = builder().answerTimeout(Duration.ofSeconds(10)).build(transport);
    Session session = join(onceward.openSession());
    slowDown();
    transport.ready = false;
    CompletableFuture<Decided> waiting = session.submit("counter", add());
    RequestId id = new RequestId.OfSequence(session.info().address(), 1);
    CompletableFuture<Abandonment> abandonment = session.abandon(id);
    transport.ready = true;
    node.hangUp();
    assertThat(join(abandonment)).isEqualTo(new Abandonment.Closed(true));
    assertThat(failure(waiting, RefusedException.class).executed()).isEqualTo(Executed.NEVER);
    assertThat(arrived.get()).isZero();
  }

  @Test
  void slowStepOfAnAdministratorIsNoDeadConnection_C4() {
    onceward = builder().build();
    join(onceward.openSession());
    long lostBefore = onceward.traffic().connectionsLost();
    node.losesQuestion =
        (any, question) -> {
          if (question instanceof Question.TakeSnapshot) {
            arrived.incrementAndGet();
            LockSupport.parkNanos(600_000_000);
          }
          return false;
        };
    assertThat(join(onceward.admin().snapshot(node.address()))).isNotEmpty();
    assertThat(arrived.get()).as("it was asked for once").isEqualTo(1);
    assertThat(onceward.traffic().connectionsLost()).isEqualTo(lostBefore);
  }
}
