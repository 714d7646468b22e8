package io.onceward.server;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Watches how much of a message of one stream has come that is not complete. gRPC keeps what has
 * come until the rest comes, up to the longest message, on as many streams as there are; so the
 * bytes of all of them have one {@link SharedRoom}.
 */
final class UnfinishedMessage extends ServerStreamTracer implements SharedRoom.Tenant {
  /** Leads from a call to the message that is coming in on its stream. */
  private static final Context.Key<UnfinishedMessage> OF_CALL = Context.key("unfinished message");

  /** Up to here it is left alone: nearly all messages are shorter, and come in one piece. */
  private static final int SMALL_BYTES = 2 << 10;

  /** What each piece of a message takes beside its bytes, however few these are. */
  private static final int PIECE_BYTES = 1 << 10;

  private final SharedRoom room;
  private volatile @Nullable Conversation conversation;
  private long bytes;
  private boolean counted;

  private UnfinishedMessage(SharedRoom room) {
    this.room = room;
  }

  /** Watches each stream of a server. */
  static ServerStreamTracer.Factory watching(SharedRoom room) {
    return new ServerStreamTracer.Factory() {
      @Override
      public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
        return new UnfinishedMessage(room);
      }
    };
  }

  /** Says who is to be hung up on; called when a call begins. */
  static void belongsTo(Conversation conversation) {
    UnfinishedMessage message = OF_CALL.get();
    if (message != null) {
      message.conversation = conversation;
    }
  }

  @Override
  public Context filterContext(Context context) {
    return context.withValue(OF_CALL, this);
  }

  @Override
  public void inboundWireSize(long more) {
    bytes += more + PIECE_BYTES;
    if (bytes > SMALL_BYTES) {
      counted = true;
      room.evict(room.hold(this, bytes));
    }
  }

  /** It is complete. */
  @Override
  public void inboundMessageRead(int number, long wireBytes, long plainBytes) {
    end();
  }

  @Override
  public void streamClosed(Status status) {
    end();
  }

  private void end() {
    bytes = 0;
    if (counted) {
      counted = false;
      room.evict(room.hold(this, 0));
    }
  }

  @Override
  public void evicted(String limit) {
    Conversation whose = conversation;
    if (whose != null) {
      whose.evicted(limit);
    }
  }
}
