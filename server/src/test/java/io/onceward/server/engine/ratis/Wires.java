package io.onceward.server.engine.ratis;

import io.onceward.wire.Member;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/**
 * What lies between members: each is known by its usual address and listens at {@link #BEHIND}. The
 * connections to a member can be made to die without a sign; new ones live.
 */
final class Wires implements Closeable {
  /** Where the members listen. */
  static final String BEHIND = "127.0.0.2";

  private static final int BUFFER_BYTES = 1 << 16;

  private final List<ServerSocket> entrances = new ArrayList<>();
  private final Set<Wire> wires = ConcurrentHashMap.newKeySet();

  Wires(List<Member> members) throws IOException {
    for (Member member : members) {
      ServerSocket entrance = new ServerSocket();
      entrance.setReuseAddress(true);
      entrance.bind(new InetSocketAddress(member.host(), member.peerPort()));
      entrances.add(entrance);
      start(() -> welcome(entrance));
    }
  }

  /** From now on nothing passes on the connections that others have to a member; none is told. */
  void die(Member member) {
    to(member).forEach(Wire::die);
  }

  /** Likewise, but only the connection on which most bytes went to the member. */
  void dieBusiest(Member member) {
    busiest(member).die();
  }

  /** Likewise, but what is sent to the member arrives, and only its answers do not. */
  void loseAnswersOfBusiest(Member member) {
    busiest(member).mute = true;
  }

  private Wire busiest(Member member) {
    return to(member).max(Comparator.comparingLong(wire -> wire.bytes.get())).orElseThrow();
  }

  private Stream<Wire> to(Member member) {
    return wires.stream().filter(wire -> wire.port == member.peerPort());
  }

  private void welcome(ServerSocket entrance) throws IOException {
    while (!entrance.isClosed()) {
      Wire wire = new Wire(entrance.accept(), entrance.getLocalPort());
      wires.add(wire);
      start(wire::connect);
    }
  }

  /** A connection to a member, in two halves. */
  private static final class Wire {
    private final Socket near;
    private final Socket far = new Socket();
    private final int port;
    private volatile boolean dead;
    private volatile boolean mute;
    private final AtomicLong bytes = new AtomicLong();

    Wire(Socket near, int port) {
      this.near = near;
      this.port = port;
    }

    void die() {
      dead = true;
    }

    void connect() throws IOException {
      try {
        far.connect(new InetSocketAddress(BEHIND, port));
      } catch (IOException nobodyThere) {
        close();
        return;
      }
      start(() -> pass(far, near, n -> {}));
      pass(near, far, bytes::addAndGet);
    }

    private void pass(Socket one, Socket other, IntConsumer counter) throws IOException {
      byte[] buffer = new byte[BUFFER_BYTES];
      try {
        for (int n = one.getInputStream().read(buffer); n >= 0; ) {
          counter.accept(n);
          if (!dead && !(mute && one == far)) {
            other.getOutputStream().write(buffer, 0, n);
          }
          n = one.getInputStream().read(buffer);
        }
      } finally {
        if (!dead) {
          close();
        }
      }
    }

    void close() throws IOException {
      near.close();
      far.close();
    }
  }

  private interface Task {
    void run() throws IOException;
  }

  private static void start(Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (IOException gone) {
                // So is the connection.
              }
            },
            "wire");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    for (ServerSocket entrance : entrances) {
      entrance.close();
    }
    for (Wire wire : wires) {
      wire.close();
    }
  }
}
