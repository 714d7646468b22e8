package io.onceward.server.engine.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.server.engine.EngineSettings;
import io.onceward.wire.Member;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.RaftRpcReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VotesTest {
  @TempDir Path root;

  private final Failure failure = new Failure();

  private Votes votes() {
    Member self = new Member("n1", "127.0.0.1", 1, 2);
    return new Votes(EngineSettings.of(root, self, List.of(self)), failure);
  }

  private Path folder() {
    return root.resolve(Peers.GROUP.getUuid().toString()).resolve("current");
  }

  /** Ratis interrupts its candidates whenever an election is over. */
  @Test
  void interruptedCandidateIsNoFailureOfTheDisk() throws Exception {
    Files.createDirectories(folder());
    Votes votes = votes();
    Thread.currentThread().interrupt();
    assertThatThrownBy(votes::sync).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
    votes.sync();
    assertThat(failure.happened()).isFalse();
  }

  /** What leaves a call that answers a candidate. */
  private static final class Sent extends ServerCall<Object, RequestVoteReplyProto> {
    final List<Object> messages = new ArrayList<>();
    final List<Status.Code> ends = new ArrayList<>();

    @Override
    public void sendMessage(RequestVoteReplyProto message) {
      messages.add(message);
    }

    @Override
    public void close(Status status, Metadata trailers) {
      ends.add(status.getCode());
    }

    @Override
    public void request(int count) {}

    @Override
    public void sendHeaders(Metadata headers) {}

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    @SuppressWarnings("NullAway") // Nobody asks for it.
    public MethodDescriptor<Object, RequestVoteReplyProto> getMethodDescriptor() {
      return null;
    }
  }

  private static RequestVoteReplyProto vote(boolean given) {
    return RequestVoteReplyProto.newBuilder()
        .setServerReply(RaftRpcReplyProto.newBuilder().setSuccess(given))
        .build();
  }

  @Test
  void voteThatIsNotOnDiskDoesNotLeave() {
    Sent sent = new Sent();
    ServerCall<Object, RequestVoteReplyProto> call = votes().keeping(sent);
    call.sendMessage(vote(true));
    call.close(Status.OK, new Metadata());
    assertThat(sent.messages).isEmpty();
    assertThat(sent.ends).containsExactly(Status.Code.INTERNAL);
    assertThat(failure.happened()).isTrue();
  }

  @Test
  void voteOnDiskLeavesAndSoDoesARefusal() throws Exception {
    Sent refusing = new Sent();
    votes().keeping(refusing).sendMessage(vote(false));
    assertThat(refusing.messages).containsExactly(vote(false));
    Files.createDirectories(folder());
    Sent giving = new Sent();
    ServerCall<Object, RequestVoteReplyProto> call = votes().keeping(giving);
    call.sendMessage(vote(true));
    call.close(Status.OK, new Metadata());
    assertThat(giving.messages).containsExactly(vote(true));
    assertThat(giving.ends).containsExactly(Status.Code.OK);
    assertThat(failure.happened()).isFalse();
  }

  @Test
  void voteThatCannotBeSyncedStopsTheNode() {
    assertThatThrownBy(votes()::sync).isInstanceOf(IOException.class);
    assertThat(failure.happened()).isTrue();
    assertThat(failure.first().what()).contains("a vote could not be synced");
  }
}
