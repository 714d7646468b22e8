package io.onceward.client;

import io.grpc.KnownLength;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.replica.LogEntry;
import io.onceward.replica.RequestCodec;
import io.onceward.wire.Answer;
import io.onceward.wire.Answers;
import io.onceward.wire.Member;
import io.onceward.wire.NodeStatus;
import io.onceward.wire.Question;
import io.onceward.wire.Questions;
import io.onceward.wire.Timing;
import io.onceward.wire.Wire;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A node in the test's own process: real gRPC in front of a shared {@link FakeLog}. It can be told
 * to say that another one leads, to lose questions or answers, to say nothing at all, and to hang
 * up.
 */
final class FakeNode implements AutoCloseable {
  private static final MethodDescriptor<byte[], byte[]> CONVERSE =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(Wire.SERVICE, Wire.METHOD))
          .setRequestMarshaller(new Raw())
          .setResponseMarshaller(new Raw())
          .build();

  private final FakeLog log;
  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(
          1,
          task -> {
            Thread thread = new Thread(task, "fake-node");
            thread.setDaemon(true);
            return thread;
          },
          NioIoHandler.newFactory());
  private final Set<ServerCall<byte[], byte[]>> calls = ConcurrentHashMap.newKeySet();
  private Server server;
  private int port;

  final AtomicInteger streams = new AtomicInteger();
  final AtomicInteger messages = new AtomicInteger();
  final AtomicInteger questions = new AtomicInteger();

  /** Whether this node leads, and if not, whom it names. */
  volatile boolean leads = true;

  volatile String hint = "";
  volatile long term = 1;
  volatile List<FakeNode> members = List.of();

  /** What it says that it can host. */
  volatile List<String> services = List.of();

  /** What it tells each conversation before the first answer; null for an older build. */
  private volatile @Nullable Timing timing;

  /** Neither applies nor answers anything, like a process that was stopped. */
  volatile boolean silent;

  /** Which questions are lost on their way in, by what they ask. */
  volatile BiPredicate<FakeNode, Question> losesQuestion = (node, question) -> false;

  /** Which answers are lost on their way out, although the log decided. */
  volatile BiPredicate<FakeNode, Question> losesAnswer = (node, question) -> false;

  /** Which questions its door has no room for, and how many it has refused for that. */
  volatile Predicate<Question> lacksRoom = question -> false;

  final AtomicInteger refused = new AtomicInteger();

  /** Which questions it says are not allowed. */
  volatile Predicate<Question> rejects = question -> false;

  FakeNode(FakeLog log) {
    this.log = log;
    start(0);
  }

  private void start(int atPort) {
    try {
      server =
          NettyServerBuilder.forAddress(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), atPort))
              .bossEventLoopGroup(group)
              .workerEventLoopGroup(group)
              .channelType(NioServerSocketChannel.class)
              .directExecutor()
              .maxInboundMessageSize(Wire.MAX_MESSAGE_BYTES)
              .initialFlowControlWindow(4 << 20)
              .addService(
                  ServerServiceDefinition.builder(Wire.SERVICE)
                      .addMethod(CONVERSE, (call, headers) -> new Stream(call))
                      .build())
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    port = server.getPort();
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  int connections() {
    return calls.size();
  }

  /** Tells everybody who is there, and who comes. */
  void expects(Timing expected) {
    timing = expected;
    for (ServerCall<byte[], byte[]> call : calls) {
      group.next().execute(() -> call.sendMessage(Answers.encode(expected)));
    }
  }

  /** Ends all conversations; new ones are welcome. */
  void hangUp() {
    for (ServerCall<byte[], byte[]> call : calls) {
      group
          .next()
          .execute(() -> call.close(Status.UNAVAILABLE.withDescription("hung up"), new Metadata()));
    }
  }

  /** Stops listening and drops all connections, as a killed process does. */
  void kill() {
    server.shutdownNow();
    try {
      server.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    calls.clear();
  }

  void restart() {
    start(port);
  }

  @Override
  public void close() {
    kill();
    boolean ended =
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    if (!ended) {
      throw new IllegalStateException("the node's thread does not end");
    }
  }

  private NodeStatus status() {
    List<Member> known = new ArrayList<>();
    for (FakeNode member : members) {
      known.add(new Member(member.id(), "127.0.0.1", member.port, member.port + 1));
    }
    String leader = "";
    for (FakeNode member : members) {
      if (member.address().equals(hint)) {
        leader = member.id();
      }
    }
    return new NodeStatus(
        id(),
        "test",
        new ClusterId(log.tag(), 1),
        leads ? "leader" : "follower",
        leads ? id() : leader,
        known,
        term,
        0,
        0,
        0,
        0,
        log.ageMillis(),
        0,
        0,
        0,
        "",
        0,
        0,
        0,
        0,
        services,
        null);
  }

  String id() {
    return "n" + port;
  }

  /** One conversation. */
  private final class Stream extends ServerCall.Listener<byte[]> implements Questions.Sink {
    private final ServerCall<byte[], byte[]> call;
    private final Answers.Writer out = new Answers.Writer();
    private final List<LogEntry.Proposal> proposals = new ArrayList<>();
    private final List<Question> logged = new ArrayList<>();
    private long[] tickets = new long[1024];
    private boolean greeted;

    Stream(ServerCall<byte[], byte[]> call) {
      this.call = call;
      streams.incrementAndGet();
      calls.add(call);
      call.sendHeaders(new Metadata());
      call.request(Integer.MAX_VALUE);
    }

    @Override
    public void onMessage(byte[] message) {
      messages.incrementAndGet();
      if (silent) {
        return;
      }
      Timing expected = timing;
      if (!greeted && expected != null) {
        out.add(expected);
      }
      greeted = true;
      Questions.decode(message, this);
      applyLogged();
      if (!out.isEmpty()) {
        call.sendMessage(out.take().toArray());
      }
    }

    @Override
    public void asked(long ticket, Question question) {
      questions.incrementAndGet();
      if (losesQuestion.test(FakeNode.this, question)) {
        return;
      }
      if (rejects.test(question)) {
        out.add(ticket, new Answer.Rejected("not allowed"));
      } else if (question instanceof Question.Status) {
        out.add(ticket, new Answer.StatusTold(status()));
      } else if (question instanceof Question.TakeSnapshot) {
        out.add(ticket, new Answer.Obeyed("snapshot at 7"));
      } else if (!leads) {
        out.add(ticket, new Answer.NotLeader(hint));
      } else if (lacksRoom.test(question)) {
        refused.incrementAndGet();
        Decision full = new Decision.Refused(Refusal.OVERLOADED, "door");
        out.add(ticket, new Answer.Decided(full, log.tag()));
      } else if (question instanceof Question.Logged asked) {
        if (proposals.size() == tickets.length) {
          tickets = java.util.Arrays.copyOf(tickets, tickets.length * 2);
        }
        tickets[proposals.size()] = ticket;
        proposals.add(FakeLog.proposal(asked.frame()));
        logged.add(question);
      } else {
        applyLogged();
        out.add(ticket, log.read(question));
      }
    }

    private void applyLogged() {
      if (proposals.isEmpty()) {
        return;
      }
      List<Decision> decisions = log.apply(proposals);
      for (int i = 0; i < decisions.size(); i++) {
        if (!losesAnswer.test(FakeNode.this, logged.get(i))) {
          out.add(tickets[i], new Answer.Decided(decisions.get(i), log.tag()));
        }
      }
      proposals.clear();
      logged.clear();
    }

    @Override
    public void unknown(long ticket, String reason) {
      out.add(ticket, new Answer.Rejected(reason));
    }

    @Override
    public void onHalfClose() {
      call.close(Status.OK, new Metadata());
    }

    @Override
    public void onCancel() {
      calls.remove(call);
    }

    @Override
    public void onComplete() {
      calls.remove(call);
    }
  }

  /** What a question asks of the log; null if it asks nothing. */
  static Object requestOf(Question question) {
    return question instanceof Question.Logged logged ? RequestCodec.decode(logged.frame()) : null;
  }

  private static final class Raw implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new Sized(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final class Sized extends ByteArrayInputStream implements KnownLength {
    Sized(byte[] bytes) {
      super(bytes);
    }
  }
}
