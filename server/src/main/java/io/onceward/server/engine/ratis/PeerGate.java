package io.onceward.server.engine.ratis;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.ratis.thirdparty.io.netty.channel.Channel;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelHandler.Sharable;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelInboundHandlerAdapter;

/** Lets so many connections to the port for peers in; the others are closed at once. */
@Sharable
final class PeerGate extends ChannelInboundHandlerAdapter {
  private static final HeapCopies COPIES = new HeapCopies();

  private final int most;
  private final AtomicInteger open = new AtomicInteger();

  PeerGate(int most) {
    this.most = most;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object accepted) {
    Channel connection = (Channel) accepted;
    if (open.incrementAndGet() > most) {
      open.decrementAndGet();
      connection.unsafe().closeForcibly();
      return;
    }
    var unused = connection.closeFuture().addListener(closed -> open.decrementAndGet());
    connection.pipeline().addLast(COPIES);
    context.fireChannelRead(connection);
  }

  /** Copies what was read to the heap, in its true length; the gateway's gate tells why. */
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
}
