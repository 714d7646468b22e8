package io.onceward.wire;

import static io.onceward.wire.CommonFields.D;
import static io.onceward.wire.CommonFields.V;

import io.onceward.ClusterId;
import java.util.ArrayList;
import java.util.List;

/** The message {@code NodeStatus}. */
final class StatusFields {
  private StatusFields() {}

  static void write(ProtoWriter out, NodeStatus status) {
    out.text(1, status.id());
    out.text(2, status.version());
    int clusterId = out.begin(3);
    CommonFields.writeClusterId(out, status.clusterId());
    out.end(clusterId);
    out.text(4, status.role());
    out.text(5, status.leader());
    for (Member member : status.members()) {
      int start = out.begin(6);
      CommonFields.writeMember(out, member);
      out.end(start);
    }
    out.number(7, status.term());
    out.number(8, status.position());
    out.number(9, status.committed());
    out.number(10, status.snapshotPosition());
    out.number(11, status.timeMillis());
    out.number(12, status.ageMillis());
    out.number(13, status.sessions());
    out.number(14, status.keys());
    out.number(15, status.tableBytes());
    out.text(16, status.digest());
    out.number(17, status.decided());
    out.number(18, status.replays());
    out.number(19, status.coalesced());
    out.number(20, status.clockMillis());
    for (String service : status.services()) {
      out.text(21, service);
    }
    Difference difference = status.difference();
    if (difference != null) {
      int start = out.begin(22);
      out.number(1, difference.position());
      out.text(2, difference.own());
      out.text(3, difference.leaders());
      out.end(start);
    }
  }

  private static Difference readDifference(ProtoReader in) {
    long position = 0;
    String own = "";
    String leaders = "";
    while (in.more()) {
      int tag = in.tag();
      switch (tag) {
        case 1 << 3 | V -> position = in.varint();
        case 2 << 3 | D -> own = in.text();
        case 3 << 3 | D -> leaders = in.text();
        default -> in.skip(tag);
      }
    }
    return new Difference(position, own, leaders);
  }

  static NodeStatus read(ProtoReader in) {
    String id = "";
    String version = "";
    ClusterId clusterId = ClusterId.NONE;
    String role = "";
    String leader = "";
    List<Member> members = new ArrayList<>();
    long term = 0;
    long position = 0;
    long committed = 0;
    long snapshotPosition = 0;
    long timeMillis = 0;
    long ageMillis = 0;
    long sessions = 0;
    long keys = 0;
    long tableBytes = 0;
    String digest = "";
    long decided = 0;
    long replays = 0;
    long coalesced = 0;
    long clockMillis = 0;
    List<String> services = new ArrayList<>();
    Difference difference = null;
    while (in.more()) {
      int tag = in.tag();
      switch (tag) {
        case 1 << 3 | D -> id = in.text();
        case 2 << 3 | D -> version = in.text();
        case 3 << 3 | D -> {
          int outer = in.enter();
          clusterId = CommonFields.readClusterId(in);
          in.leave(outer);
        }
        case 4 << 3 | D -> role = in.text();
        case 5 << 3 | D -> leader = in.text();
        case 6 << 3 | D -> {
          int outer = in.enter();
          members.add(CommonFields.readMember(in));
          in.leave(outer);
        }
        case 7 << 3 | V -> term = in.varint();
        case 8 << 3 | V -> position = in.varint();
        case 9 << 3 | V -> committed = in.varint();
        case 10 << 3 | V -> snapshotPosition = in.varint();
        case 11 << 3 | V -> timeMillis = in.varint();
        case 12 << 3 | V -> ageMillis = in.varint();
        case 13 << 3 | V -> sessions = in.varint();
        case 14 << 3 | V -> keys = in.varint();
        case 15 << 3 | V -> tableBytes = in.varint();
        case 16 << 3 | D -> digest = in.text();
        case 17 << 3 | V -> decided = in.varint();
        case 18 << 3 | V -> replays = in.varint();
        case 19 << 3 | V -> coalesced = in.varint();
        case 20 << 3 | V -> clockMillis = in.varint();
        case 21 << 3 | D -> services.add(in.text());
        case 22 << 3 | D -> {
          int outer = in.enter();
          difference = readDifference(in);
          in.leave(outer);
        }
        default -> in.skip(tag);
      }
    }
    return new NodeStatus(
        id,
        version,
        clusterId,
        role,
        leader,
        List.copyOf(members),
        term,
        position,
        committed,
        snapshotPosition,
        timeMillis,
        ageMillis,
        sessions,
        keys,
        tableBytes,
        digest,
        decided,
        replays,
        coalesced,
        clockMillis,
        List.copyOf(services),
        difference);
  }
}
