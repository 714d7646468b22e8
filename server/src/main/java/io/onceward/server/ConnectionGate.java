package io.onceward.server;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelFutureListener;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandler.Sharable;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Lets so many connections in and no more, before anything is built for them. Who is turned away is
 * told why in the words of HTTP/2: settings, as must come first, and a GOAWAY with the reason.
 *
 * <p>They come in a few at a time, with a pause in between; a crowd waits in the kernel's queue
 * meanwhile. What a new connection costs is paid by the threads that serve the others, and a loop
 * of Netty works off all newcomers that it was given before it looks at its sockets again. What is
 * kept for it, some 150 objects, is copied by the collector, and everybody waits: so what is more
 * than a large user's clients coming back at once comes in slowly.
 */
@Sharable
final class ConnectionGate extends ChannelInboundHandlerAdapter {
  /** With the pause, two thousand a second … */
  static final int AT_A_TIME = 20;

  static final long PAUSE_MILLIS = 10;

  /** … for so many; then eight hundred a second, until so few come that this has grown again. */
  static final int CROWD = 1_000;

  static final int AT_A_TIME_BEYOND = 8;

  /**
   * How many wait in the kernel. Who has to wait longer than this takes is gone by then, and its
   * connection would be let in for nothing: it is better not to be in the queue, and to knock
   * again.
   */
  static final int WAITING = 1_000;

  private static final int ENHANCE_YOUR_CALM = 11;
  private static final HeapCopies COPIES = new HeapCopies();

  private final int most;
  private final EventLoopGroup workers;
  private final AtomicInteger open = new AtomicInteger();
  private final Map<SocketAddress, Channel> connections = new ConcurrentHashMap<>();

  /** How many came since the last pause. Like the next, only for the thread that accepts. */
  private int came;

  /** How many may still come at the faster pace. */
  private int left = CROWD;

  private boolean counting;
  private boolean pausing;

  ConnectionGate(int most, EventLoopGroup workers) {
    this.most = most;
    this.workers = workers;
  }

  /** Stands before whatever accepts connections; what it reads are connections. */
  @Override
  public void channelRead(ChannelHandlerContext context, Object accepted) {
    Channel connection = (Channel) accepted;
    boolean hasRoom = open.incrementAndGet() <= most;
    pace(context, hasRoom);
    if (!hasRoom) {
      open.decrementAndGet();
      turnAway(connection);
      return;
    }
    SocketAddress peer = connection.remoteAddress();
    connections.put(peer, connection);
    var unused =
        connection
            .closeFuture()
            .addListener(
                closed -> {
                  connections.remove(peer, connection);
                  open.decrementAndGet();
                });
    connection.pipeline().addLast(COPIES);
    context.fireChannelRead(connection);
  }

  private void pace(ChannelHandlerContext context, boolean comesIn) {
    came++;
    left = comesIn ? Math.max(left - 1, -AT_A_TIME) : left;
    if (!counting) {
      counting = true;
      goOnLater(context);
    }
    if (came >= AT_A_TIME || left <= 0) {
      pausing = true;
      context.channel().config().setAutoRead(false);
    }
  }

  private void goOnLater(ChannelHandlerContext context) {
    var unused =
        context.executor().schedule(() -> goOn(context), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void goOn(ChannelHandlerContext context) {
    came = 0;
    left = Math.min(CROWD, left + AT_A_TIME_BEYOND);
    if (left < CROWD) {
      goOnLater(context);
    } else {
      counting = false;
    }
    if (pausing && left > 0) {
      pausing = false;
      context.channel().config().setAutoRead(true);
    }
  }

  /**
   * Copies what was read to the heap, in its true length. A message that is not finished would
   * otherwise hold on to the buffers that it was read into, several times as large, and to direct
   * memory, of which there is little.
   */
  @Sharable
  private static final class HeapCopies extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object read) {
      if (!(read instanceof ByteBuf bytes)) {
        context.fireChannelRead(read);
        return;
      }
      ByteBuf copy;
      try {
        int length = bytes.readableBytes();
        copy = context.alloc().heapBuffer(length, length).writeBytes(bytes);
      } finally {
        bytes.release();
      }
      context.fireChannelRead(copy);
    }
  }

  /** Ends the connection with this peer at once, and with it all that waits to be sent to it. */
  void cut(@Nullable SocketAddress peer) {
    Channel connection = peer == null ? null : connections.get(peer);
    if (connection != null) {
      // Closing by way of the pipeline would wait for what the peer does not read.
      connection
          .eventLoop()
          .execute(() -> connection.unsafe().close(connection.unsafe().voidPromise()));
    }
  }

  private void turnAway(Channel connection) {
    connection
        .pipeline()
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelActive(ChannelHandlerContext context) {
                var unused =
                    context
                        .writeAndFlush(Unpooled.wrappedBuffer(refusal()))
                        .addListener(ChannelFutureListener.CLOSE);
              }
            });
    var unused = workers.register(connection).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
  }

  private byte[] refusal() {
    byte[] reason =
        ("this node has " + most + " connections, which is its limit")
            .getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(9 + 9 + 8 + reason.length)
        .put(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0})
        .put(new byte[] {0, 0, (byte) (8 + reason.length), 7, 0, 0, 0, 0, 0})
        .putInt(0)
        .putInt(ENHANCE_YOUR_CALM)
        .put(reason)
        .array();
  }
}
