package io.onceward.server.engine.ratis;

import io.onceward.wire.Member;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What lies between members: each is known by its usual address and listens at {@link #BEHIND}. The
 * connections to a member can be made to die without a sign; new ones live.
 */
final class Wires implements Closeable {
  /** Where the members listen. */
  static final String BEHIND = "127.0.0.2";

  private static final int BUFFER_BYTES = 1 << 16;

  private final List<ServerSocket> entrances = new ArrayList<>();
  private final Map<Socket, Integer> sockets = new ConcurrentHashMap<>();
  private final Set<Socket> dead = ConcurrentHashMap.newKeySet();

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
    sockets.forEach(
        (socket, port) -> {
          if (port == member.peerPort()) {
            dead.add(socket);
          }
        });
  }

  private void welcome(ServerSocket entrance) throws IOException {
    while (!entrance.isClosed()) {
      Socket near = entrance.accept();
      start(() -> connect(near, entrance.getLocalPort()));
    }
  }

  private void connect(Socket near, int port) throws IOException {
    sockets.put(near, port);
    Socket far = new Socket();
    try {
      far.connect(new InetSocketAddress(BEHIND, port));
    } catch (IOException nobodyThere) {
      near.close();
      return;
    }
    sockets.put(far, port);
    start(() -> pass(far, near));
    pass(near, far);
  }

  private void pass(Socket one, Socket other) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      for (int n = one.getInputStream().read(buffer); n >= 0; ) {
        if (!dead.contains(one)) {
          other.getOutputStream().write(buffer, 0, n);
        }
        n = one.getInputStream().read(buffer);
      }
    } finally {
      if (!dead.contains(one)) {
        one.close();
        other.close();
      }
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
    for (Socket socket : sockets.keySet()) {
      socket.close();
    }
  }
}
