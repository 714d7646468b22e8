package io.onceward.crash.child;

import io.onceward.crash.Step.Moment;
import io.onceward.crash.Step.Phase;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * What stands between a lane's client and the cluster: a relay in this process that keeps back
 * requests, or answers, from a certain moment on. What it has kept back dies with the process.
 */
final class Gates {
  /** Time enough for a request to be executed, if it gets through. */
  private static final long WHILE_MILLIS = 40;

  /** Open for ever, where there is no relay. */
  static final Gates NONE = new Gates(0);

  private static final class Gate {
    private boolean closed;

    synchronized void set(boolean toBeClosed) {
      closed = toBeClosed;
      notifyAll();
    }

    synchronized void pass() throws InterruptedException {
      while (closed) {
        wait();
      }
    }
  }

  private final Gate requests = new Gate();
  private final Gate answers = new Gate();
  private final int serverPort;

  private Gates(int serverPort) {
    this.serverPort = serverPort;
  }

  /** A relay to a port on this machine. */
  static Gates before(int serverPort) {
    return new Gates(serverPort);
  }

  /** Begins to relay; gives the address that clients connect to. */
  String open() throws IOException {
    ServerSocket listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    background(
        () -> {
          while (true) {
            Socket client = listening.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            background(() -> pump(client, server, requests));
            background(() -> pump(server, client, answers));
          }
        });
    return "127.0.0.1:" + listening.getLocalPort();
  }

  private static void pump(Socket from, Socket to, Gate gate)
      throws IOException, InterruptedException {
    byte[] buffer = new byte[1 << 16];
    try (from;
        to;
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        gate.pass();
        out.write(buffer, 0, count);
        out.flush();
      }
    }
  }

  /** Lets pass what was kept back for a request that, as it turned out, needed no answer. */
  void reopen() {
    requests.set(false);
    answers.set(false);
  }

  /** If the lane is to stop while this request, or its answer, is on its way: it will. */
  void close(Phase phase, Stops stops) {
    if (stops.wants(phase, Moment.NOT_SENT)) {
      requests.set(true);
      background(() -> stopSoon(phase, Moment.NOT_SENT, stops));
    } else if (stops.wants(phase, Moment.UNHEARD)) {
      answers.set(true);
      background(() -> stopSoon(phase, Moment.UNHEARD, stops));
    }
  }

  private static void stopSoon(Phase phase, Moment moment, Stops stops)
      throws InterruptedException {
    Thread.sleep(WHILE_MILLIS);
    stops.reach(phase, moment);
  }

  /** Something that may fail, since the other end may be dead. */
  interface Task {
    void run() throws IOException, InterruptedException;
  }

  static void background(Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (IOException | InterruptedException e) {
                // The other end is gone.
              }
            },
            "relay");
    thread.setDaemon(true);
    thread.start();
  }
}
