package io.onceward.server;

import io.onceward.wire.Member;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;

/**
 * Ports of this machine that nobody listens on just now, for servers that are started in a moment.
 * They are drawn from below those that systems give to outgoing connections: one of these would be
 * taken again before its server comes, on a busy machine.
 */
public final class FreePorts {
  private static final int LEAST = 10_000;
  private static final int MOST = 32_000;
  private static final int ATTEMPTS = 1_000;

  /** Those that were found, and will be somebody's: none is found twice. */
  private static final Set<Integer> FOUND = ConcurrentHashMap.newKeySet();

  private FreePorts() {}

  /**
   * Members on loopback.
   *
   * @param names the id of each, by its number from 0
   */
  public static List<Member> members(int count, IntFunction<String> names) throws IOException {
    List<Integer> ports = find(2 * count);
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      members.add(new Member(names.apply(i), "127.0.0.1", ports.get(2 * i), ports.get(2 * i + 1)));
    }
    return members;
  }

  /** A port for one of them. */
  public static int one() throws IOException {
    return find(1).get(0);
  }

  private static List<Integer> find(int count) throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    try {
      for (int attempt = 0; held.size() < count; attempt++) {
        if (attempt >= ATTEMPTS) {
          throw new IOException("no free port found from " + LEAST + " to " + MOST);
        }
        int port = ThreadLocalRandom.current().nextInt(LEAST, MOST);
        if (!FOUND.add(port)) {
          continue;
        }
        try {
          held.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
        } catch (BindException taken) {
          FOUND.remove(port);
        }
      }
      return held.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket socket : held) {
        socket.close();
      }
    }
  }
}
