package io.onceward.server.engine.ratis;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.thirdparty.io.netty.channel.Channel;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelHandler.Sharable;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelInboundHandlerAdapter;

/** Lets so many connections to the port for peers in; the others are closed at once. */
@Sharable
final class PeerGate extends ChannelInboundHandlerAdapter {
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
    context.fireChannelRead(connection);
  }
}
