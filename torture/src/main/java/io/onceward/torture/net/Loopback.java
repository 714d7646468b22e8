package io.onceward.torture.net;

import io.onceward.server.FreePorts;
import io.onceward.wire.Member;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All nodes on loopback, which any user may do: they listen at one of its addresses, and are known
 * by another one.
 */
final class Loopback extends Network {
  private static final String LISTENING = "127.0.0.1";
  private static final String KNOWN = "127.0.1.1";

  private final Map<String, Member> members = new LinkedHashMap<>();
  private final SocketOwners owners = new SocketOwners();

  Loopback(List<String> names) throws IOException {
    for (Member member : FreePorts.members(names.size(), names::get)) {
      members.put(
          member.id(), new Member(member.id(), KNOWN, member.clientPort(), member.peerPort()));
    }
    for (String name : names) {
      guard(name);
    }
  }

  @Override
  public Member member(String node) {
    Member member = members.get(node);
    if (member == null) {
      throw new IllegalArgumentException("no node " + node + " in " + members.keySet());
    }
    return member;
  }

  @Override
  public String bindHost(String node) {
    return LISTENING;
  }

  @Override
  public List<String> whereabouts(String node) {
    return List.of();
  }

  @Override
  public void runs(String node, long pid) {
    owners.runs(node, pid);
  }

  @Override
  public boolean losesPackets() {
    return false;
  }

  @Override
  public String description() {
    return "on loopback, through proxies (no root: no packet is lost, bytes are held up instead)";
  }

  @Override
  String partyOf(Socket socket) {
    String owner = owners.of(socket);
    return owner == null ? CLIENTS : owner;
  }

  @Override
  @Nullable InetAddress appearance(String party) {
    return null;
  }
}
