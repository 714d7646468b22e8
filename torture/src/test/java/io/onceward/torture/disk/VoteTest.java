package io.onceward.torture.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.cli.ServerLaunch;
import io.onceward.cli.ServerProcess;
import io.onceward.server.FreePorts;
import io.onceward.wire.Member;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node that has voted and loses its power has still voted. */
@Timeout(120)
class VoteTest {
  private static final UUID GROUP = new UUID(0x6f6e63657761_7264L, 0L);
  private static final long TERM = 7;

  @TempDir private Path folder;

  @Test
  void voteSurvivesAPowerCut() throws Exception {
    if (!LoopDisk.possible(folder)) {
      String why = "SKIPPED: disks that lose their power need root, mkfs.ext4 and xfs_io";
      System.err.println(why);
      Assumptions.abort(why);
    }
    List<Member> members = FreePorts.members(3, i -> "n" + i);
    Member voter = members.get(0);
    try (LoopDisk disk = LoopDisk.create(folder, "voter")) {
      ServerProcess process = ServerLaunch.of(disk.data(), voter, members).start();
      try {
        assertThat(vote(voter, members.get(1)).getServerReply().getSuccess()).isTrue();
        disk.powerOff();
      } finally {
        process.kill();
      }
      disk.powerOn();
      Properties kept = kept(disk.data());
      assertThat(kept.getProperty("term")).isEqualTo(Long.toString(TERM));
      assertThat(kept.getProperty("votedFor")).isEqualTo(members.get(1).id());
    }
  }

  /** Asks, as a candidate does, until the node is up and answers. */
  private static RequestVoteReplyProto vote(Member voter, Member candidate) {
    ManagedChannel channel =
        ManagedChannelBuilder.forAddress(voter.host(), voter.peerPort()).usePlaintext().build();
    try {
      while (true) {
        try {
          return RaftServerProtocolServiceGrpc.newBlockingStub(channel)
              .withWaitForReady()
              .withDeadlineAfter(60, TimeUnit.SECONDS)
              .requestVote(request(voter, candidate));
        } catch (StatusRuntimeException starting) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
      }
    } finally {
      channel.shutdownNow();
    }
  }

  private static RequestVoteRequestProto request(Member voter, Member candidate) {
    ByteBuffer group = ByteBuffer.allocate(16);
    group.putLong(GROUP.getMostSignificantBits()).putLong(GROUP.getLeastSignificantBits()).flip();
    return RequestVoteRequestProto.newBuilder()
        .setServerRequest(
            RaftRpcRequestProto.newBuilder()
                .setRequestorId(ByteString.copyFromUtf8(candidate.id()))
                .setReplyId(ByteString.copyFromUtf8(voter.id()))
                .setRaftGroupId(RaftGroupIdProto.newBuilder().setId(ByteString.copyFrom(group)))
                .setCallId(1))
        .setCandidateTerm(TERM)
        .build();
  }

  private static Properties kept(Path data) throws IOException {
    Properties kept = new Properties();
    Path file = data.resolve("log").resolve(GROUP.toString()).resolve("current/raft-meta");
    try (InputStream in = Files.newInputStream(file)) {
      kept.load(in);
    }
    return kept;
  }
}
