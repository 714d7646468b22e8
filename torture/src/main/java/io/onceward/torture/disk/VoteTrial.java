package io.onceward.torture.disk;

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
import org.jspecify.annotations.Nullable;

/**
 * A node votes, loses its power, and is asked for whom it voted. Under load this shows nothing:
 * whatever else is synced takes the vote along. So this node does nothing but vote.
 */
public final class VoteTrial {
  private static final UUID GROUP = new UUID(0x6f6e63657761_7264L, 0L);
  private static final long TERM = 7;
  private static final int PATIENCE_SECONDS = 60;

  private VoteTrial() {}

  /**
   * What a node told and what it still knows after the power cut; the two should be the same.
   *
   * @param given whom it gave its vote, and in which term
   * @param kept the same, as it stands on its disk
   */
  public record Vote(String given, String kept) {
    /** Whether the node could vote for another candidate in the same term now. */
    public boolean isForgotten() {
      return !given.equals(kept);
    }
  }

  /**
   * Plays it once.
   *
   * @param folder of a machine on which {@link LoopDisk#possible} says yes
   * @param jvmFlags further flags of the node
   */
  public static Vote play(Path folder, List<String> jvmFlags) throws IOException {
    List<Member> members = FreePorts.members(3, i -> "n" + i);
    Member voter = members.get(0);
    Member candidate = members.get(1);
    try (LoopDisk disk = LoopDisk.create(folder, "voter")) {
      ServerProcess process =
          ServerLaunch.of(disk.data(), voter, members)
              .jvmFlags(jvmFlags.toArray(String[]::new))
              .start();
      try {
        if (!vote(voter, candidate).getServerReply().getSuccess()) {
          throw new IOException("the node gives its vote to nobody");
        }
        disk.powerOff();
      } finally {
        process.kill();
      }
      disk.powerOn();
      Properties kept = kept(disk.data());
      return new Vote(
          print(Long.toString(TERM), candidate.id()),
          print(kept.getProperty("term"), kept.getProperty("votedFor")));
    }
  }

  private static String print(@Nullable String term, @Nullable String candidate) {
    return candidate + " in term " + term;
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
              .withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS)
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
