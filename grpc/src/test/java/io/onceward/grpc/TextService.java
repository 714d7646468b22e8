package io.onceward.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/** A service of text on a real server, and a caller of it. */
final class TextService implements AutoCloseable {
  /** What the service does with a call. */
  interface Handler {
    void handle(String request, StreamObserver<String> reply, int run);
  }

  record Answer(String text, boolean replayed) {}

  /** A reply over which the marshaller fails. */
  static final String UNWRITABLE = "unwritable";

  private static final MethodDescriptor.Marshaller<String> TEXT =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(String text) {
          if (text.equals(UNWRITABLE)) {
            throw new IllegalStateException("the marshaller fails");
          }
          return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
          try {
            byte[] bytes = stream.readAllBytes();
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  private static final MethodDescriptor<String, String> UNARY =
      method("Unary", MethodDescriptor.MethodType.UNARY);
  private static final MethodDescriptor<String, String> TWICE =
      method("Twice", MethodDescriptor.MethodType.SERVER_STREAMING);

  private static MethodDescriptor<String, String> method(
      String name, MethodDescriptor.MethodType type) {
    return MethodDescriptor.<String, String>newBuilder(TEXT, TEXT)
        .setType(type)
        .setFullMethodName("test.Text/" + name)
        .build();
  }

  final AtomicInteger runs = new AtomicInteger();
  final AtomicInteger cancellations = new AtomicInteger();
  final OnceInterceptor interceptor;
  private final Server server;
  private final ManagedChannel channel;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private volatile ClientCall<?, ?> lastCall;

  private TextService(OnceInterceptor interceptor, Handler handler) throws IOException {
    this.interceptor = interceptor;
    ServerServiceDefinition service =
        ServerServiceDefinition.builder("test.Text")
            .addMethod(
                UNARY,
                ServerCalls.asyncUnaryCall(
                    (String request, StreamObserver<String> reply) ->
                        handler.handle(request, reply, runs.incrementAndGet())))
            .addMethod(
                TWICE,
                ServerCalls.asyncServerStreamingCall(
                    (String request, StreamObserver<String> reply) -> {
                      reply.onNext(request);
                      reply.onNext(request);
                      reply.onCompleted();
                    }))
            .build();
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .executor(threads)
            .addService(
                ServerInterceptors.interceptForward(service, new Cancellations(), interceptor))
            .build()
            .start();
    channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort()).usePlaintext().build();
  }

  /** Sees, before the interceptor does, that a client went away. */
  private final class Cancellations implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
        @Override
        public void onCancel() {
          super.onCancel();
          cancellations.incrementAndGet();
        }
      };
    }
  }

  static TextService behind(OnceInterceptor.Builder interceptor, Handler handler)
      throws IOException {
    return new TextService(interceptor.build(), handler);
  }

  Answer call(String key, String request) {
    return call(key, request, new Metadata());
  }

  Answer call(String key, String request, Metadata more) {
    AtomicReference<Metadata> headers = new AtomicReference<>();
    AtomicReference<Metadata> trailers = new AtomicReference<>();
    Channel captured =
        ClientInterceptors.intercept(
            with(key, more), MetadataUtils.newCaptureMetadataInterceptor(headers, trailers));
    String text = ClientCalls.blockingUnaryCall(captured, UNARY, options(), request);
    return new Answer(text, headers.get().containsKey(Answers.REPLAYED));
  }

  CompletableFuture<Answer> callAsync(String key, String request) {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    AtomicReference<Metadata> headers = new AtomicReference<>();
    AtomicReference<Metadata> trailers = new AtomicReference<>();
    Channel captured =
        ClientInterceptors.intercept(
            with(key, new Metadata()),
            MetadataUtils.newCaptureMetadataInterceptor(headers, trailers));
    var call = captured.newCall(UNARY, options());
    lastCall = call;
    ClientCalls.asyncUnaryCall(
        call,
        request,
        new StreamObserver<>() {
          @Override
          public void onNext(String text) {
            answer.complete(new Answer(text, headers.get().containsKey(Answers.REPLAYED)));
          }

          @Override
          public void onError(Throwable thrown) {
            answer.completeExceptionally(thrown);
          }

          @Override
          public void onCompleted() {}
        });
    return answer;
  }

  /** Cancels the last call. The server hears of it while the service is at work. */
  void cancelled(CompletableFuture<Answer> answer) throws InterruptedException {
    lastCall.cancel("the test does not want it any more", null);
    await(answer::isCompletedExceptionally);
  }

  List<String> stream(String key, String request) {
    List<String> texts = new ArrayList<>();
    ClientCalls.blockingServerStreamingCall(with(key, new Metadata()), TWICE, options(), request)
        .forEachRemaining(texts::add);
    return texts;
  }

  private static CallOptions options() {
    return CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS);
  }

  private Channel with(String key, Metadata more) {
    Metadata headers = new Metadata();
    headers.merge(more);
    if (key != null) {
      headers.put(CallKey.METADATA, key);
    }
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  static void await(BooleanSupplier condition) throws InterruptedException {
    long until = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > until) {
        throw new AssertionError("waited 20 s in vain");
      }
      Thread.sleep(2);
    }
  }

  @Override
  public void close() {
    channel.shutdownNow();
    server.shutdownNow();
    interceptor.close();
    threads.shutdown();
  }
}
