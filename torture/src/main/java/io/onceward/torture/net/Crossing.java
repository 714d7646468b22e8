package io.onceward.torture.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/** One connection from a party to a node, and the one that continues it behind the proxy. */
final class Crossing {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final int CONNECT_MILLIS = 1_000;

  private final Lanes lanes;
  private final String source;
  private final String target;
  private final Socket near;
  private final Socket far = new Socket();
  private final Object lock = new Object();
  private boolean frozen;
  private boolean over;

  Crossing(Lanes lanes, String source, String target, Socket near) {
    this.lanes = lanes;
    this.source = source;
    this.target = target;
    this.near = near;
  }

  boolean isBetween(String one, String other) {
    return source.equals(one) && target.equals(other) || source.equals(other) && target.equals(one);
  }

  /**
   * Connects to the node and passes bytes both ways until either end is gone; then both are.
   *
   * @param from the address from which the node sees the connection come; null if any will do
   */
  void begin(InetSocketAddress node, @Nullable InetAddress from) {
    try {
      // A connection that cannot carry a byte is not made either.
      if (!lanes.between(source, target).pass()) {
        reset();
        return;
      }
      if (from != null) {
        far.bind(new InetSocketAddress(from, 0));
      }
      far.connect(node, CONNECT_MILLIS);
      near.setTcpNoDelay(true);
      far.setTcpNoDelay(true);
      Threads.start("back " + near.getPort(), () -> pass(far, near, lanes.between(target, source)));
      pass(near, far, lanes.between(source, target));
    } catch (IOException unreachable) {
      reset();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      reset();
    }
  }

  private void pass(Socket one, Socket other, Lane lane) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      InputStream in = one.getInputStream();
      OutputStream out = other.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (!lane.pass() || !thaw()) {
          break;
        }
        out.write(buffer, 0, n);
      }
    } catch (IOException gone) {
      // So is the other end, now.
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    reset();
  }

  /** Waits while it is frozen; says whether it goes on. */
  private boolean thaw() throws InterruptedException {
    synchronized (lock) {
      while (frozen && !over) {
        lock.wait();
      }
      return !over;
    }
  }

  /** From now on nothing passes and nobody is told; says whether it was alive until then. */
  boolean freeze() {
    synchronized (lock) {
      boolean alive = !frozen;
      frozen = true;
      return alive;
    }
  }

  /** Both ends are told at once. */
  void reset() {
    synchronized (lock) {
      over = true;
      lock.notifyAll();
    }
    abort(near);
    abort(far);
    lanes.remove(this);
  }

  private static void abort(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
    } catch (IOException closed) {
      // Then there is nobody to tell.
    }
    try {
      socket.close();
    } catch (IOException closed) {
      // Likewise.
    }
  }
}
