package io.onceward.cli.demo;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A gate on loopback through which clients reach one node. Open, it passes bytes on both ways. It
 * can cut what passes through it, turn newcomers away, and stall: then connections stand but
 * nothing passes until it is opened again, and what was held back arrives late.
 */
final class Gate implements Closeable {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final int CONNECT_MILLIS = 1_000;
  private static final int BACKLOG = 64;

  /** What the gate does with bytes and newcomers. */
  enum Stance {
    OPEN,
    REFUSING,
    STALLING
  }

  private final ServerSocket entrance;
  private final int nodePort;
  private final Set<Crossing> crossings = ConcurrentHashMap.newKeySet();
  private final Object lock = new Object();
  private Stance stance = Stance.OPEN;
  private boolean closed;

  private Gate(ServerSocket entrance, int nodePort) {
    this.entrance = entrance;
    this.nodePort = nodePort;
  }

  /** A gate on a free port, in front of this port; both on loopback. */
  static Gate before(int nodePort) throws IOException {
    ServerSocket entrance = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    Gate gate = new Gate(entrance, nodePort);
    start("gate " + entrance.getLocalPort(), gate::welcome);
    return gate;
  }

  /** Where clients knock, as {@code host:port}. */
  String address() {
    return entrance.getInetAddress().getHostAddress() + ":" + entrance.getLocalPort();
  }

  /** How many connections stand. */
  int crossings() {
    return crossings.size();
  }

  /** Lets everything pass, also what was held back. */
  void open() {
    become(Stance.OPEN);
  }

  /** Resets every connection that stands; new ones are welcome. */
  int cut() {
    int cut = 0;
    for (Crossing crossing : crossings) {
      crossing.reset();
      cut++;
    }
    return cut;
  }

  /** Resets every connection that stands and every new one. */
  void refuse() {
    become(Stance.REFUSING);
    cut();
  }

  /** Holds everything back, without a sign to anyone. */
  void stall() {
    become(Stance.STALLING);
  }

  private void become(Stance next) {
    synchronized (lock) {
      stance = next;
      lock.notifyAll();
    }
  }

  Stance stance() {
    synchronized (lock) {
      return stance;
    }
  }

  /** Waits while nothing may pass; says whether the gate is still there. */
  private boolean awaitPassage() throws InterruptedException {
    synchronized (lock) {
      while (stance == Stance.STALLING && !closed) {
        lock.wait();
      }
      return !closed;
    }
  }

  private void welcome() {
    while (true) {
      try {
        Socket client = entrance.accept();
        Crossing crossing = new Crossing(client);
        crossings.add(crossing);
        if (entrance.isClosed() || stance() == Stance.REFUSING) {
          crossing.reset();
        } else {
          start("crossing " + client.getPort(), crossing::begin);
        }
      } catch (IOException closedOrTired) {
        if (entrance.isClosed()) {
          return;
        }
      }
    }
  }

  private static void start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    entrance.close();
    synchronized (lock) {
      closed = true;
      lock.notifyAll();
    }
    cut();
  }

  /** One client's connection and the one that continues it to the node. */
  private final class Crossing {
    private final Socket client;
    private final Socket node = new Socket();

    Crossing(Socket client) {
      this.client = client;
    }

    void begin() {
      try {
        if (!awaitPassage()) {
          reset();
          return;
        }
        node.connect(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), nodePort), CONNECT_MILLIS);
        client.setTcpNoDelay(true);
        node.setTcpNoDelay(true);
        start("back " + client.getPort(), () -> pass(node, client));
        pass(client, node);
      } catch (IOException unreachable) {
        reset();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        reset();
      }
    }

    /** Passes bytes on until either end is gone; then both are. */
    private void pass(Socket source, Socket target) {
      byte[] buffer = new byte[BUFFER_BYTES];
      try {
        InputStream in = source.getInputStream();
        OutputStream out = target.getOutputStream();
        for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
          if (!awaitPassage()) {
            break;
          }
          out.write(buffer, 0, length);
        }
      } catch (IOException broken) {
        // Then it ends here.
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
      reset();
    }

    /** Ends both connections without a farewell, as a failing network does. */
    void reset() {
      crossings.remove(this);
      reset(client);
      reset(node);
    }

    private static void reset(Socket socket) {
      try {
        if (!socket.isClosed()) {
          socket.setSoLinger(true, 0);
        }
      } catch (IOException alreadyBroken) {
        // It is closed all the same.
      }
      try {
        socket.close();
      } catch (IOException alreadyClosed) {
        // That is what was wanted.
      }
    }
  }
}
