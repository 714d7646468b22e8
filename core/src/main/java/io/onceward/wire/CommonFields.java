package io.onceward.wire;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.ClusterId;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.replica.Replica.SessionView;
import io.onceward.replica.Request;

/**
 * Messages that stand in several others. Each is read between {@code enter} and {@code leave} of
 * its caller; a value that this build does not know is an {@code IllegalArgumentException}.
 */
final class CommonFields {
  /** Wire types beside their field numbers make the tags that readers switch on. */
  static final int V = ProtoWriter.VARINT;

  static final int F = ProtoWriter.FIXED64;
  static final int D = ProtoWriter.DELIMITED;

  private CommonFields() {}

  /** The number in field 1 of a message that has no other. */
  static long readNumber(ProtoReader in) {
    long number = 0;
    while (in.more()) {
      int tag = in.tag();
      if (tag == (1 << 3 | V)) {
        number = in.varint();
      } else {
        in.skip(tag);
      }
    }
    return number;
  }

  /** The bytes in field 1 of a message that has no other. */
  static Bytes readBytes(ProtoReader in) {
    Bytes bytes = Bytes.EMPTY;
    while (in.more()) {
      int tag = in.tag();
      if (tag == (1 << 3 | D)) {
        bytes = in.bytes();
      } else {
        in.skip(tag);
      }
    }
    return bytes;
  }

  /** The text in field 1 of a message that has no other. */
  static String readText(ProtoReader in) {
    String text = "";
    while (in.more()) {
      int tag = in.tag();
      if (tag == (1 << 3 | D)) {
        text = in.text();
      } else {
        in.skip(tag);
      }
    }
    return text;
  }

  static void writeAddress(ProtoWriter out, Request.Address address) {
    out.fixed64(1, address.clusterTag());
    out.number(2, address.session());
    out.number(3, address.incarnation());
  }

  static Request.Address readAddress(ProtoReader in) {
    long clusterTag = 0;
    long session = 0;
    long incarnation = 0;
    while (in.more()) {
      int tag = in.tag();
      switch (tag) {
        case 1 << 3 | F -> clusterTag = in.fixed64();
        case 2 << 3 | V -> session = in.varint();
        case 3 << 3 | V -> incarnation = in.varint();
        default -> in.skip(tag);
      }
    }
    return new Request.Address(clusterTag, session, incarnation);
  }

  static void writeKey(ProtoWriter out, Key key) {
    out.number(1, key.kind().code());
    out.fixed64(2, key.high());
    out.fixed64(3, key.low());
  }

  static Key readKey(ProtoReader in) {
    int kind = 0;
    long high = 0;
    long low = 0;
    while (in.more()) {
      int tag = in.tag();
      switch (tag) {
        case 1 << 3 | V -> kind = in.code();
        case 2 << 3 | F -> high = in.fixed64();
        case 3 << 3 | F -> low = in.fixed64();
        default -> in.skip(tag);
      }
    }
    return Key.of(Key.Kind.ofCode(kind), high, low);
  }

  static void writeReply(ProtoWriter out, Reply reply) {
    out.number(1, reply.kind().code());
    out.bytes(2, reply.bytes());
  }

  static Reply readReply(ProtoReader in) {
    int kind = 0;
    Bytes bytes = Bytes.EMPTY;
    while (in.more()) {
      int tag = in.tag();
      switch (tag) {
        case 1 << 3 | V -> kind = in.code();
        case 2 << 3 | D -> bytes = in.bytes();
        default -> in.skip(tag);
      }
    }
    return new Reply(Reply.Kind.ofCode(kind), bytes);
  }

  static void writeSession(ProtoWriter out, SessionView session) {
    out.number(1, session.kind().code());
    out.text(2, session.principal());
    out.text(3, session.name());
    out.number(4, session.session());
    out.number(5, session.incarnation());
    out.number(6, session.watermark());
    out.number(7, session.nextSequence());
    out.number32(8, session.window());
    out.flag(9, session.ordered());
    out.number(10, session.idleMillis());
  }

  static SessionView readSession(ProtoReader in) {
    int kind = 0;
    String principal = "";
    String name = "";
    long session = 0;
    long incarnation = 0;
    long watermark = 0;
    long nextSequence = 0;
    int window = 0;
    boolean ordered = false;
    long idleMillis = 0;
    while (in.more()) {
      int tag = in.tag();
      switch (tag) {
        case 1 << 3 | V -> kind = in.code();
        case 2 << 3 | D -> principal = in.text();
        case 3 << 3 | D -> name = in.text();
        case 4 << 3 | V -> session = in.varint();
        case 5 << 3 | V -> incarnation = in.varint();
        case 6 << 3 | V -> watermark = in.varint();
        case 7 << 3 | V -> nextSequence = in.varint();
        case 8 << 3 | V -> window = in.number32();
        case 9 << 3 | V -> ordered = in.flag();
        case 10 << 3 | V -> idleMillis = in.varint();
        default -> in.skip(tag);
      }
    }
    return new SessionView(
        ClientKind.ofCode(kind),
        principal,
        name,
        session,
        incarnation,
        watermark,
        nextSequence,
        window,
        ordered,
        idleMillis);
  }

  static void writeMember(ProtoWriter out, Member member) {
    out.text(1, member.id());
    out.text(2, member.host());
    out.number32(3, member.clientPort());
    out.number32(4, member.peerPort());
  }

  static Member readMember(ProtoReader in) {
    String id = "";
    String host = "";
    int clientPort = 0;
    int peerPort = 0;
    while (in.more()) {
      int tag = in.tag();
      switch (tag) {
        case 1 << 3 | D -> id = in.text();
        case 2 << 3 | D -> host = in.text();
        case 3 << 3 | V -> clientPort = in.number32();
        case 4 << 3 | V -> peerPort = in.number32();
        default -> in.skip(tag);
      }
    }
    return new Member(id, host, clientPort, peerPort);
  }

  static void writeClusterId(ProtoWriter out, ClusterId id) {
    out.fixed64(1, id.high());
    out.fixed64(2, id.low());
  }

  static ClusterId readClusterId(ProtoReader in) {
    long high = 0;
    long low = 0;
    while (in.more()) {
      int tag = in.tag();
      switch (tag) {
        case 1 << 3 | F -> high = in.fixed64();
        case 2 << 3 | F -> low = in.fixed64();
        default -> in.skip(tag);
      }
    }
    return new ClusterId(high, low);
  }
}
