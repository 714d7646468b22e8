package io.onceward.torture.net;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Stands at the address by which a node is known and passes everything on to where it is. */
final class Proxy implements Closeable {
  private static final int BACKLOG = 128;

  private final ServerSocket entrance = new ServerSocket();
  private final Lanes lanes;
  private final String node;
  private final InetSocketAddress behind;
  private final Function<Socket, String> whoIs;
  private final Function<String, @Nullable InetAddress> from;

  /**
   * A proxy in front of one port of a node.
   *
   * @param whoIs which party a connection comes from
   * @param from the address from which the node is to see a party come
   */
  Proxy(
      Lanes lanes,
      String node,
      InetSocketAddress entrance,
      InetSocketAddress behind,
      Function<Socket, String> whoIs,
      Function<String, @Nullable InetAddress> from)
      throws IOException {
    this.lanes = lanes;
    this.node = node;
    this.behind = behind;
    this.whoIs = whoIs;
    this.from = from;
    this.entrance.setReuseAddress(true);
    this.entrance.bind(entrance, BACKLOG);
    Threads.start("proxy of " + node, this::welcome);
  }

  private void welcome() {
    while (!entrance.isClosed()) {
      try {
        Socket near = entrance.accept();
        Threads.start("crossing " + near.getPort(), () -> cross(near));
      } catch (IOException closedOrTired) {
        // Closed: the loop ends. Tired of a caller that is gone: the next one.
      }
    }
  }

  private void cross(Socket near) {
    String who = whoIs.apply(near);
    Crossing crossing = new Crossing(lanes, who, node, near);
    lanes.add(crossing);
    crossing.begin(behind, from.apply(who));
  }

  @Override
  public void close() throws IOException {
    entrance.close();
  }
}
