package io.onceward.server.engine.ratis;

import io.onceward.wire.Member;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.thirdparty.io.grpc.CallOptions;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.ServerServiceDefinition;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientCalls;
import org.apache.ratis.thirdparty.io.grpc.stub.ServerCalls;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;
import org.jspecify.annotations.Nullable;

/** How a leader asks a node in, on the port for members: the question, who serves it, who asks. */
final class AdmissionCall {
  static final String SERVICE = "onceward.Admission";

  private static final long PATIENCE_SECONDS = 10;

  /** For a node that is a member already, and may be down. */
  private static final long GLANCE_SECONDS = 2;

  private static final String WAITS = "waits";

  /** Whom the leader means, and the id of its cluster. */
  private record Invitation(String member, String cluster) {}

  private static final MethodDescriptor<Invitation, String> ASK =
      MethodDescriptor.<Invitation, String>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Ask"))
          .setRequestMarshaller(new Invitations())
          .setResponseMarshaller(new Reasons())
          .build();

  /** Asks the member of this name whether it waits to be added; changes nothing. */
  private static final MethodDescriptor<Invitation, String> LOOK =
      ASK.toBuilder()
          .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Look"))
          .build();

  private AdmissionCall() {}

  /** What a node serves. */
  static ServerServiceDefinition service(Admission admission) {
    return ServerServiceDefinition.builder(SERVICE)
        .addMethod(
            ASK,
            ServerCalls.asyncUnaryCall(
                (Invitation invitation, StreamObserver<String> answer) -> {
                  answer.onNext(admission.ask(invitation.member, invitation.cluster));
                  answer.onCompleted();
                }))
        .addMethod(
            LOOK,
            ServerCalls.asyncUnaryCall(
                (Invitation invitation, StreamObserver<String> answer) -> {
                  answer.onNext(admission.waits(invitation.member) ? WAITS : "");
                  answer.onCompleted();
                }))
        .build();
  }

  /**
   * Asks a node in, and waits for a node that is still starting.
   *
   * @return why it must not be added; empty if it may be. Fails if it does not answer
   */
  static CompletableFuture<String> ask(Member member, String cluster) {
    return call(
        ASK,
        CallOptions.DEFAULT
            .withWaitForReady()
            .withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS),
        new Invitation(member.id(), cluster),
        member);
  }

  /**
   * Whether this node says that it waits to be added. One that is down does not, nor one of an
   * earlier version, which cannot be asked.
   */
  static CompletableFuture<Boolean> waits(Member member) {
    CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(GLANCE_SECONDS, TimeUnit.SECONDS);
    return call(LOOK, options, new Invitation(member.id(), ""), member)
        .handle((answer, silent) -> silent == null && answer.equals(WAITS));
  }

  private static CompletableFuture<String> call(
      MethodDescriptor<Invitation, String> method,
      CallOptions options,
      Invitation invitation,
      Member member) {
    CompletableFuture<String> reason = new CompletableFuture<>();
    ManagedChannel channel =
        NettyChannelBuilder.forTarget(member.peerAddress())
            .proxyDetector(address -> null)
            .usePlaintext()
            .build();
    ClientCalls.asyncUnaryCall(
        channel.newCall(method, options), invitation, new Answer(member.peerAddress(), reason));
    return reason.whenComplete((answer, problem) -> channel.shutdownNow());
  }

  private static final class Answer implements StreamObserver<String> {
    private final String address;
    private final CompletableFuture<String> reason;
    private @Nullable String received;

    Answer(String address, CompletableFuture<String> reason) {
      this.address = address;
      this.reason = reason;
    }

    @Override
    public void onNext(String answer) {
      received = answer;
    }

    @Override
    public void onError(Throwable problem) {
      Status.Code code = Status.fromThrowable(problem).getCode();
      if (code == Status.Code.PERMISSION_DENIED || code == Status.Code.UNIMPLEMENTED) {
        reason.complete("what answers at " + address + " is no node of this version of Onceward");
      } else {
        reason.completeExceptionally(problem);
      }
    }

    @Override
    public void onCompleted() {
      if (received == null) {
        reason.completeExceptionally(new IOException("an empty answer"));
      } else {
        reason.complete(received);
      }
    }
  }

  private static final class Invitations implements MethodDescriptor.Marshaller<Invitation> {
    @Override
    public InputStream stream(Invitation invitation) {
      return written(
          out -> {
            out.writeUTF(invitation.member);
            out.writeUTF(invitation.cluster);
          });
    }

    @Override
    public Invitation parse(InputStream stream) {
      DataInputStream in = new DataInputStream(stream);
      try {
        return new Invitation(in.readUTF(), in.readUTF());
      } catch (IOException malformed) {
        throw Status.INVALID_ARGUMENT.withCause(malformed).asRuntimeException();
      }
    }
  }

  private static final class Reasons implements MethodDescriptor.Marshaller<String> {
    @Override
    public InputStream stream(String reason) {
      return written(out -> out.writeUTF(reason));
    }

    @Override
    public String parse(InputStream stream) {
      try {
        return new DataInputStream(stream).readUTF();
      } catch (IOException malformed) {
        throw Status.INTERNAL.withCause(malformed).asRuntimeException();
      }
    }
  }

  private interface Content {
    void writeTo(DataOutputStream out) throws IOException;
  }

  private static InputStream written(Content content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      content.writeTo(new DataOutputStream(bytes));
    } catch (IOException tooLong) {
      throw new UncheckedIOException(tooLong);
    }
    return new ByteArrayInputStream(bytes.toByteArray());
  }
}
