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
        .addLast(new ConnectionGate(1_000, listening.eventLoop().parent()))
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
  void whoComesNowAndThenNeverWaits() {
    for (int i = 0; i < 5 * ConnectionGate.AT_A_TIME; i++) {
      connect(1);
      assertThat(accepts()).isTrue();
      passMillis(ConnectionGate.PAUSE_MILLIS);
    }
  }
}
