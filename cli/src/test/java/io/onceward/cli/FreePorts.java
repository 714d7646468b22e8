package io.onceward.cli;

import io.onceward.wire.Member;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Ports of this machine that nobody listens on just now. */
final class FreePorts {
  private FreePorts() {}

  /** Members on loopback, named a, b, c ... */
  static List<Member> members(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 2 * count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      List<Member> members = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        members.add(
            new Member(
                String.valueOf((char) ('a' + i)),
                "127.0.0.1",
                sockets.get(2 * i).getLocalPort(),
                sockets.get(2 * i + 1).getLocalPort()));
      }
      return members;
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }
}
