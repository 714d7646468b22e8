package io.onceward.server.engine.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.server.engine.EngineSettings;
import io.onceward.wire.Member;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemberRpcTest {
  @TempDir Path root;

  private final List<String> reconnected = new ArrayList<>();
  private final Failure failure = new Failure();

  @BeforeEach
  void makeFolder() throws Exception {
    Files.createDirectories(folder());
  }

  private Path folder() {
    return root.resolve(Peers.GROUP.getUuid().toString()).resolve("current");
  }

  /** What calls other members, of whom each answers a request for its vote with this. */
  private MemberRpc answered(Status status) {
    Member self = new Member("n1", "127.0.0.1", 1, 2);
    GrpcServices ratis =
        (GrpcServices)
            Proxy.newProxyInstance(
                MemberRpcTest.class.getClassLoader(),
                new Class<?>[] {GrpcServices.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("requestVote")) {
                    throw new StatusRuntimeException(status);
                  }
                  assertThat(method.getName()).isEqualTo("handleException");
                  reconnected.add(arguments[0] + " " + arguments[2]);
                  return null;
                });
    return new MemberRpc(ratis, new Votes(EngineSettings.of(root, self, List.of(self)), failure));
  }

  private static RequestVoteRequestProto request(boolean preVote) {
    ByteString voter = RaftPeerId.valueOf("n2").toByteString();
    return RequestVoteRequestProto.newBuilder()
        .setServerRequest(RaftRpcRequestProto.newBuilder().setReplyId(voter))
        .setPreVote(preVote)
        .build();
  }

  /** gRPC would wait up to two minutes before it tries again. */
  @Test
  void voterThatCannotBeReachedIsConnectedToAnew() {
    for (boolean preVote : new boolean[] {true, false}) {
      assertThatThrownBy(() -> answered(Status.UNAVAILABLE).requestVote(request(preVote)))
          .isInstanceOf(StatusRuntimeException.class);
    }
    assertThat(reconnected).containsExactly("n2 true", "n2 true");
  }

  @Test
  void voterThatAnswersLateOrRefusesKeepsItsConnection() {
    for (Status status : List.of(Status.DEADLINE_EXCEEDED, Status.INTERNAL)) {
      assertThatThrownBy(() -> answered(status).requestVote(request(true)))
          .isInstanceOf(StatusRuntimeException.class);
    }
    assertThat(reconnected).isEmpty();
  }

  @Test
  void candidateSyncsItsOwnVoteBeforeItAsksForOthers() throws Exception {
    Files.delete(folder());
    assertThatThrownBy(() -> answered(Status.UNAVAILABLE).requestVote(request(false)))
        .isNotInstanceOf(StatusRuntimeException.class);
    assertThat(failure.happened()).isTrue();
    assertThat(reconnected).isEmpty();
  }
}
