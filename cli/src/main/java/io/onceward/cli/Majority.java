package io.onceward.cli;

import io.onceward.server.ServerSettings;
import io.onceward.wire.Member;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** How many members can be reached, for a node that waits in vain for a leader. */
final class Majority {
  private static final int CONNECT_MILLIS = 500;

  private final int needed;
  private final int reachable;
  private final List<String> silent;

  private Majority(int needed, int reachable, List<String> silent) {
    this.needed = needed;
    this.reachable = reachable;
    this.silent = silent;
  }

  /** Knocks at every other member; the node itself is there. */
  static Majority around(ServerSettings settings) {
    int reachable = 1;
    List<String> silent = new ArrayList<>();
    for (Member member : settings.members()) {
      if (member.equals(settings.self())) {
        continue;
      }
      if (answers(member)) {
        reachable++;
      } else {
        silent.add(member.id() + " at " + member.peerAddress());
      }
    }
    return new Majority(settings.members().size() / 2 + 1, reachable, silent);
  }

  private static boolean answers(Member member) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(member.host(), member.peerPort()), CONNECT_MILLIS);
      return true;
    } catch (IOException | IllegalArgumentException unreachable) {
      return false;
    }
  }

  /** One line for the operator. */
  String inWords() {
    String found =
        "no leader yet: a majority is " + needed + " members, " + reachable + " can be reached";
    if (reachable >= needed) {
      return found + "; still waiting for them to agree";
    }
    return found + "; not reachable: " + String.join(", ", silent) + "; still waiting";
  }
}
