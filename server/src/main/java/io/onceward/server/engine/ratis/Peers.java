package io.onceward.server.engine.ratis;

import io.onceward.wire.Member;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;

/** Members in the words of Ratis. A peer carries both addresses, so that hints outlive settings. */
final class Peers {
  /** Group 0, the only one so far. All clusters call it the same; their cluster ids differ. */
  static final RaftGroupId GROUP = RaftGroupId.valueOf(new UUID(0x6f6e63657761_7264L, 0L));

  private Peers() {}

  static RaftPeer peer(Member member) {
    return RaftPeer.newBuilder()
        .setId(member.id())
        .setAddress(member.peerAddress())
        .setClientAddress(member.clientAddress())
        .build();
  }

  static List<RaftPeer> peers(Collection<Member> members) {
    List<RaftPeer> peers = new ArrayList<>(members.size());
    for (Member member : members) {
      peers.add(peer(member));
    }
    return peers;
  }

  static Member member(RaftPeer peer) {
    String address = peer.getAddress();
    String host = address.substring(0, address.lastIndexOf(':'));
    return new Member(peer.getId().toString(), host, port(peer.getClientAddress()), port(address));
  }

  static List<Member> members(Collection<RaftPeer> peers) {
    List<Member> members = new ArrayList<>(peers.size());
    for (RaftPeer peer : peers) {
      members.add(member(peer));
    }
    members.sort((a, b) -> a.id().compareTo(b.id()));
    return members;
  }

  static RaftPeerId id(Member member) {
    return RaftPeerId.valueOf(member.id());
  }

  private static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }
}
