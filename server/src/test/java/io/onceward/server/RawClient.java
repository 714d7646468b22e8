package io.onceward.server;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.onceward.Bytes;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.wire.Answer;
import io.onceward.wire.Answers;
import io.onceward.wire.Question;
import io.onceward.wire.Questions;
import io.onceward.wire.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A stream to one node, with nothing of the client library: what is sent is what was said. */
final class RawClient implements AutoCloseable {
  private final ManagedChannel channel;
  private final ClientCall<byte[], byte[]> call;
  private final Map<Long, CompletableFuture<Answer>> waiting = new ConcurrentHashMap<>();
  final CompletableFuture<Status> closed = new CompletableFuture<>();
  private long tickets;

  RawClient(int port) {
    this(port, true);
  }

  /** One that reads nothing before {@link #read}, if it is so said. */
  RawClient(int port, boolean reads) {
    channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().directExecutor().build();
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
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(byte[] message) {
            Answers.decode(
                message,
                (ticket, answer) -> {
                  CompletableFuture<Answer> waiter = waiting.remove(ticket);
                  if (waiter != null) {
                    waiter.complete(answer);
                  }
                });
            call.request(1);
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            closed.complete(status);
          }
        },
        new Metadata());
    if (reads) {
      read();
    }
  }

  void read() {
    call.request(1);
  }

  /** Several questions in one message. */
  synchronized List<CompletableFuture<Answer>> ask(List<Question> questions) {
    List<Questions.Asked> asked = new ArrayList<>();
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    for (Question question : questions) {
      CompletableFuture<Answer> answer = new CompletableFuture<>();
      waiting.put(++tickets, answer);
      answers.add(answer);
      asked.add(new Questions.Asked(tickets, question));
    }
    call.sendMessage(Questions.encode(asked));
    return answers;
  }

  Answer ask(Question question) {
    return await(ask(List.of(question)).get(0));
  }

  Answer log(Request request) {
    return ask(logged(request));
  }

  static Question logged(Request request) {
    return new Question.Logged(Bytes.of(RequestCodec.encode(request)));
  }

  static <T> T await(CompletableFuture<T> future) {
    return future.orTimeout(10, TimeUnit.SECONDS).join();
  }

  synchronized void sendRaw(byte[] message) {
    call.sendMessage(message);
  }

  @Override
  public void close() {
    call.cancel("done", null);
    channel.shutdownNow();
    try {
      channel.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
