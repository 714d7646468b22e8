package io.onceward.crash.child;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/** Gives {@link LaneSocket}s to the driver of the database, which makes this class by its name. */
public final class LaneSocketFactory extends SocketFactory {
  @Override
  public Socket createSocket() {
    return new LaneSocket();
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    throw new IOException("the driver connects by itself");
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    throw new IOException("the driver connects by itself");
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    throw new IOException("the driver connects by itself");
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    throw new IOException("the driver connects by itself");
  }
}
