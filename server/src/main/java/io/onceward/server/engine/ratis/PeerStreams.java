package io.onceward.server.engine.ratis;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.ratis.thirdparty.io.grpc.Context;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerStreamTracer;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * How much of the messages of all peers has come that is not complete. gRPC keeps it until the rest
 * comes; members send the rest at once. When it is too much, whoever has been at its message for
 * the longest is hung up on, which is not a member (L1).
 *
 * <p>Only the one thread that serves peers comes here.
 */
final class PeerStreams extends ServerStreamTracer.Factory {
  /** Leads from a call to the message that is coming in on its stream. */
  private static final Context.Key<Incoming> OF_CALL = Context.key("incoming message");

  /** What each piece of a message takes beside its bytes, however few these are. */
  private static final int PIECE_BYTES = 1 << 10;

  private final long most;
  private final Map<Incoming, Boolean> unfinished = new LinkedHashMap<>();
  private long bytes;

  PeerStreams(long most) {
    this.most = most;
  }

  /** Says which call is to be ended if its message is in the way. */
  static void belongsTo(ServerCall<?, ?> call) {
    Incoming incoming = OF_CALL.get();
    if (incoming != null) {
      incoming.call = call;
    }
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
    return new Incoming();
  }

  private void makeRoom() {
    while (bytes > most && !unfinished.isEmpty()) {
      Incoming oldest = unfinished.keySet().iterator().next();
      ServerCall<?, ?> call = oldest.call;
      oldest.end();
      if (call != null) {
        oldest.call = null;
        call.close(
            Status.RESOURCE_EXHAUSTED.withDescription(
                "too many bytes of messages that are not finished"),
            new Metadata());
      }
    }
  }

  private final class Incoming extends ServerStreamTracer {
    private @Nullable ServerCall<?, ?> call;
    private long held;

    @Override
    public Context filterContext(Context context) {
      return context.withValue(OF_CALL, this);
    }

    @Override
    public void inboundWireSize(long more) {
      if (held == 0) {
        unfinished.put(this, true);
      }
      long taken = more + PIECE_BYTES;
      held += taken;
      bytes += taken;
      makeRoom();
    }

    @Override
    public void inboundMessageRead(int number, long wireBytes, long plainBytes) {
      end();
    }

    @Override
    public void streamClosed(Status status) {
      end();
      call = null;
    }

    private void end() {
      unfinished.remove(this);
      bytes -= held;
      held = 0;
    }
  }
}
