package io.onceward.cli.it;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.onceward.Bytes;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.wire.Answer;
import io.onceward.wire.Answers;
import io.onceward.wire.Member;
import io.onceward.wire.Question;
import io.onceward.wire.Questions;
import io.onceward.wire.Wire;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A stream to one node, for asking that one and nobody else. It follows no leader and sends nothing
 * twice: what a test sends over it is one copy, and what comes back is that node's word.
 */
final class Line implements AutoCloseable {
  private static final Duration SOON = Duration.ofSeconds(10);

  private static final MethodDescriptor.Marshaller<byte[]> AS_IT_IS =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] message) {
          return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return stream.readAllBytes();
          } catch (IOException problem) {
            throw new UncheckedIOException(problem);
          }
        }
      };

  private static final MethodDescriptor<byte[], byte[]> CONVERSE =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(Wire.SERVICE, Wire.METHOD))
          .setRequestMarshaller(AS_IT_IS)
          .setResponseMarshaller(AS_IT_IS)
          .build();

  private final ManagedChannel channel;
  private final StreamObserver<byte[]> questions;
  private final Map<Long, CompletableFuture<Answer>> open = new ConcurrentHashMap<>();
  private final AtomicLong tickets = new AtomicLong();
  private volatile @Nullable Throwable end;

  private Line(Member member) {
    channel =
        NettyChannelBuilder.forAddress(member.host(), member.clientPort())
            .usePlaintext()
            .directExecutor()
            .maxInboundMessageSize(Wire.MAX_MESSAGE_BYTES)
            .build();
    questions =
        ClientCalls.asyncBidiStreamingCall(
            channel.newCall(CONVERSE, CallOptions.DEFAULT),
            new StreamObserver<>() {
              @Override
              public void onNext(byte[] message) {
                Answers.decode(
                    message,
                    (ticket, answer) -> {
                      CompletableFuture<Answer> asked = open.remove(ticket);
                      if (asked != null) {
                        asked.complete(answer);
                      }
                    });
              }

              @Override
              public void onError(Throwable broken) {
                end = broken;
                failOpen(broken);
              }

              @Override
              public void onCompleted() {
                onError(new IOException(member.id() + " hung up"));
              }
            });
  }

  static Line to(Member member) {
    return new Line(member);
  }

  static Question framed(Request request) {
    return new Question.Logged(Bytes.of(RequestCodec.encode(request)));
  }

  Answer ask(Question question) throws Exception {
    return Patience.get(question + " at " + channel.authority(), SOON, asking(question));
  }

  /** Sends one copy now; the answer may come late or never. */
  CompletableFuture<Answer> asking(Question question) {
    long ticket = tickets.incrementAndGet();
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    open.put(ticket, answer);
    synchronized (questions) {
      questions.onNext(Questions.encode(List.of(new Questions.Asked(ticket, question))));
    }
    Throwable broken = end;
    if (broken != null) {
      failOpen(broken);
    }
    return answer;
  }

  private void failOpen(Throwable broken) {
    open.values().forEach(asked -> asked.completeExceptionally(broken));
    open.clear();
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
