package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import io.onceward.wire.Questions;
import io.onceward.wire.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node with little room for those who connect, and what it says when that is taken (L1). */
class GatewayLimitsTest {
  private static final GatewayLimits SMALL =
      new GatewayLimits(4, 2, 2 << 10, 10, 60, 30, 64 << 10, 48 << 10, 64 << 10);

  @TempDir Path folder;
  private final List<AutoCloseable> open = new ArrayList<>();
  private OncewardServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        OncewardServer.start(
            ServerSettings.alone(folder, FreePorts.one(), FreePorts.one()).withGateway(SMALL),
            new AddingService());
    RawClient.await(server.ready());
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
    server.close();
  }

  private RawClient client() {
    RawClient client = new RawClient(server.clientPort());
    open.add(client);
    return client;
  }

  private static void serves(RawClient client) {
    assertThat(client.ask(new Question.Status(false))).isInstanceOf(Answer.StatusTold.class);
  }

  @Test
  void aConnectionTooManyIsToldTheLimitAndTheOthersGoOn() throws Exception {
    List<RawClient> welcome = List.of(client(), client(), client(), client());
    welcome.forEach(GatewayLimitsTest::serves);
    try (Socket onlyListening = new Socket(InetAddress.getLoopbackAddress(), server.clientPort())) {
      String told =
          new String(onlyListening.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(told).endsWith("this node has 4 connections, which is its limit");
    }
    assertThat(RawClient.await(client().closed).isOk()).isFalse();
    welcome.forEach(GatewayLimitsTest::serves);
    welcome.get(0).close();
    serves(eventuallyWelcome());
  }

  /** The node notices in its own time that somebody has left. */
  private RawClient eventuallyWelcome() {
    long end = System.nanoTime() + 10_000_000_000L;
    while (System.nanoTime() < end) {
      RawClient client = client();
      CompletableFuture<Answer> answer = client.ask(List.of(new Question.Status(false))).get(0);
      Object first = RawClient.await(CompletableFuture.anyOf(answer, client.closed));
      if (first instanceof Answer) {
        return client;
      }
    }
    throw new AssertionError("nobody is let in");
  }

  @Test
  void whoNeverReadsIsHungUpOnAndTheOthersGoOn() {
    RawClient honest = client();
    serves(honest);
    NeverReading client = new NeverReading(server.clientPort());
    open.add(client);
    List<Questions.Asked> questions =
        Collections.nCopies(3_000, new Questions.Asked(1, new Question.CountOlderThan(1)));
    for (int i = 0; i < 20; i++) {
      client.call.sendMessage(Questions.encode(questions));
    }
    RawClient.await(client.disconnected);
    serves(honest);
  }

  /** gRPC would say that it is ready for more as long as it keeps less than 32 KiB for somebody. */
  @Test
  void whoNeverReadsALittleIsCountedToo() {
    RawClient honest = client();
    serves(honest);
    List<NeverReading> crowd = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      NeverReading client = new NeverReading(server.clientPort());
      open.add(client);
      crowd.add(client);
      for (int count : new int[] {4_500, 1, 1}) {
        Questions.Asked asked = new Questions.Asked(1, new Question.CountOlderThan(1));
        client.call.sendMessage(Questions.encode(Collections.nCopies(count, asked)));
      }
    }
    RawClient.await(CompletableFuture.anyOf(crowd.get(0).disconnected, crowd.get(1).disconnected));
    serves(honest);
  }

  @Test
  void messagesThatAreNotFinishedHaveOneRoomAndWhoIsAtItLongestIsToldSo() {
    RawClient honest = client();
    serves(honest);
    RawClient slow = client();
    serves(slow);
    slow.sendRaw(new byte[1 << 20]);
    Status status = RawClient.await(slow.closed);
    assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(status.getDescription()).contains("messages that are not finished");
    serves(honest);
  }

  /** A client whose windows are shut. */
  private static final class NeverReading implements AutoCloseable {
    final ManagedChannel channel;
    final ClientCall<byte[], byte[]> call;

    /** The call itself would tell its end only behind the answers that nobody takes. */
    final CompletableFuture<Void> disconnected = new CompletableFuture<>();

    NeverReading(int port) {
      channel =
          NettyChannelBuilder.forAddress("127.0.0.1", port)
              .usePlaintext()
              .directExecutor()
              .flowControlWindow(1)
              .build();
      call =
          channel.newCall(
              MethodDescriptor.<byte[], byte[]>newBuilder()
                  .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                  .setFullMethodName(
                      MethodDescriptor.generateFullMethodName(Wire.SERVICE, Wire.METHOD))
                  .setRequestMarshaller(MessageBytes.ARRAYS)
                  .setResponseMarshaller(MessageBytes.ARRAYS)
                  .build(),
              CallOptions.DEFAULT);
      call.start(new ClientCall.Listener<>() {}, new Metadata());
      watch(false);
    }

    private void watch(boolean wasReady) {
      ConnectivityState state = channel.getState(false);
      if (wasReady && state != ConnectivityState.READY) {
        disconnected.complete(null);
        return;
      }
      boolean ready = state == ConnectivityState.READY;
      channel.notifyWhenStateChanged(state, () -> watch(ready));
    }

    @Override
    public void close() {
      channel.shutdownNow();
    }
  }
}
