package io.onceward.client;

import static io.onceward.client.Await.failure;
import static io.onceward.client.Await.join;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.ClusterId;
import io.onceward.Key;
import io.onceward.services.CounterCommand;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A client whose addresses name nodes of two clusters. */
class OneClusterTest {
  private static final Bytes ADD = CounterCommand.encode(new CounterCommand.Add("x", 5));

  /** Another cluster knows none of the keys: a retry would execute there again. */
  @Test
  void retryDoesNotGoToAnotherCluster_E2() {
    FakeLog ownLog = new FakeLog();
    FakeLog foreignLog = new FakeLog(new ClusterId(0xbeef, 1));
    try (FakeNode own = new FakeNode(ownLog);
        FakeNode foreign = new FakeNode(foreignLog);
        Onceward onceward =
            Onceward.builder()
                .address(own.address())
                .address(foreign.address())
                .retryDelay(Duration.ofMillis(20))
                .answerTimeout(Duration.ofMillis(300))
                .patience(Duration.ofSeconds(2))
                .build()) {
      foreign.leads = false;
      foreign.term = 1_000;
      own.losesAnswer = (node, question) -> true;
      CompletableFuture<Decided> sent =
          onceward.keyed().submit(Key.text("k"), "counter", ADD, Duration.ofSeconds(5));
      Await.until("the key has executed", () -> ownLog.keys() == 1);

      own.kill();
      foreign.leads = true;
      assertThat(failure(sent, OutcomeUnknownException.class)).isNotNull();
      assertThat(failure(onceward.query("counter", Bytes.EMPTY), UnreachableException.class))
          .hasMessageContaining("this client belongs to cluster " + new ClusterId(0xfeed, 1));
      assertThat(foreignLog.keys()).isZero();

      own.losesAnswer = (node, question) -> false;
      own.restart();
      Decided retry = join(onceward.keyed().submit(Key.text("k"), "counter", ADD));
      assertThat(retry.replay()).isTrue();
      assertThat(foreignLog.keys()).isZero();
    }
  }
}
