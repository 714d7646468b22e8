package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The gate on a channel whose time is in the test's hands; what it reads are connections. */
class ConnectionGateTest {
  private final List<Object> letIn = new ArrayList<>();
  private final EmbeddedChannel listening = new EmbeddedChannel();

  @BeforeEach
  void gate() {
    listening.freezeTime();
    listening
        .pipeline()
        .addLast(new ConnectionGate(10_000, listening.eventLoop().parent()))
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelRead(ChannelHandlerContext context, Object connection) {
                letIn.add(connection);
              }
            });
  }

  private void connect(int count) {
    for (int i = 0; i < count; i++) {
      listening.pipeline().fireChannelRead(new EmbeddedChannel());
    }
  }

  private void passMillis(long millis) {
    listening.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    listening.runScheduledPendingTasks();
  }

  private boolean accepts() {
    return listening.config().isAutoRead();
  }

  @Test
  void aCrowdComesInAFewAtATimeWithAPauseBetween() {
    connect(ConnectionGate.AT_A_TIME - 1);
    assertThat(accepts()).isTrue();
    connect(1);
    assertThat(accepts()).isFalse();
    passMillis(ConnectionGate.PAUSE_MILLIS - 1);
    assertThat(accepts()).isFalse();
    passMillis(1);
    assertThat(accepts()).isTrue();
    connect(ConnectionGate.AT_A_TIME);
    assertThat(accepts()).isFalse();
    passMillis(ConnectionGate.PAUSE_MILLIS);
    assertThat(accepts()).isTrue();
  }

  @Test
  void whoWasAcceptedBeforeThePauseIsLetInAllTheSame() {
    connect(ConnectionGate.AT_A_TIME + 5);
    assertThat(letIn).hasSize(ConnectionGate.AT_A_TIME + 5);
    assertThat(accepts()).isFalse();
  }

  @Test
  void whatIsMoreThanACrowdComesInSlowly() {
    List<Integer> perSecond = new ArrayList<>();
    for (int second = 0; second < 4; second++) {
      int before = letIn.size();
      connectForASecond();
      perSecond.add(letIn.size() - before);
    }
    // The first thousand beside those whose time it is.
    assertThat(perSecond.get(0)).isBetween(1_750, 1_850);
    assertThat(perSecond.subList(1, 4)).allMatch(count -> count >= 790 && count <= 810);
  }

  @Test
  void aCrowdThatCameLongAgoDoesNotCount() {
    connectForASecond();
    passMillisOneByOne(3_000);
    int before = letIn.size();
    connectForASecond();
    assertThat(letIn.size() - before).isBetween(1_750, 1_850);
  }

  /** As the kernel has them ready, whenever they are accepted. */
  private void connectForASecond() {
    for (int i = 0; i < 1_000; i++) {
      while (accepts()) {
        connect(1);
      }
      passMillis(1);
    }
  }

  private void passMillisOneByOne(int millis) {
    for (int i = 0; i < millis; i++) {
      passMillis(1);
    }
  }

  @Test
  void whoComesNowAndThenNeverWaits() {
    for (int i = 0; i < 5 * ConnectionGate.AT_A_TIME; i++) {
      connect(1);
      assertThat(accepts()).isTrue();
      passMillis(ConnectionGate.PAUSE_MILLIS);
    }
  }
}
