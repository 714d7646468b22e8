package io.onceward.server.engine.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.impl.ServerImplUtils;
import org.apache.ratis.server.leader.LogAppender;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rounds that are under way while the members change; nobody who could confirm them is left. */
class ReadBarriersTest {
  private final ReadBarriers barriers = new ReadBarriers();
  private RaftConfiguration configuration = of("n1", "n2");

  private static RaftConfiguration of(String... members) {
    List<RaftPeer> peers =
        Stream.of(members).map(id -> RaftPeer.newBuilder().setId(id).build()).toList();
    return ServerImplUtils.newRaftConfiguration(peers, List.of(), 1, List.of(), List.of());
  }

  @BeforeEach
  void serve() {
    barriers.serve(
        new ReadBarriers.Node() {
          @Override
          public boolean leading() {
            return true;
          }

          @Override
          public long committed() {
            return 5;
          }

          @Override
          public long applied() {
            return 5;
          }

          @Override
          public RaftConfiguration configuration() {
            return configuration;
          }

          @Override
          public RaftPeerId self() {
            return RaftPeerId.valueOf("n1");
          }
        });
  }

  @Test
  void readersGetThroughWhenTheMembersBecomeFewer() {
    CompletableFuture<Void> old = barriers.barrier();
    CompletableFuture<Void> waiting = barriers.barrier();
    assertThat(old).isNotDone();
    configuration = of("n1");
    barriers.reconfigured();
    assertThat(old).isCompleted();
    assertThat(waiting).isCompleted();
    assertThat(barriers.barrier()).isCompleted();
  }

  @Test
  void newReaderFreesThoseWhoseRoundNobodyEnds() {
    CompletableFuture<Void> old = barriers.barrier();
    CompletableFuture<Void> waiting = barriers.barrier();
    configuration = of("n1");
    assertThat(barriers.barrier()).isCompleted();
    assertThat(old).isCompleted();
    assertThat(waiting).isCompleted();
  }

  @Test
  void answerOfAnybodyEndsARoundThatIsConfirmed() {
    CompletableFuture<Void> old = barriers.barrier();
    configuration = of("n1");
    barriers.answered(
        appender("n2"),
        AppendEntriesReplyProto.newBuilder()
            .setResult(AppendEntriesReplyProto.AppendResult.SUCCESS)
            .build());
    assertThat(old).isCompleted();
  }

  @Test
  void answerOfAStrangerConfirmsNothing() {
    CompletableFuture<Void> old = barriers.barrier();
    barriers.answered(
        appender("n2"),
        AppendEntriesReplyProto.newBuilder()
            .setResult(AppendEntriesReplyProto.AppendResult.SUCCESS)
            .build());
    assertThat(old).isNotDone();
  }

  private static LogAppender appender(String follower) {
    return (LogAppender)
        Proxy.newProxyInstance(
            LogAppender.class.getClassLoader(),
            new Class<?>[] {LogAppender.class},
            (proxy, method, arguments) -> RaftPeerId.valueOf(follower));
  }
}
