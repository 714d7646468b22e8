package io.onceward.server.engine.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.wire.Member;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SilentPeersTest {
  @TempDir Path root;
  private Wires wires;
  private TestCluster cluster;

  @BeforeEach
  void start() throws IOException {
    List<Member> members =
        List.of(
            TestCluster.newMember("n1"), TestCluster.newMember("n2"), TestCluster.newMember("n3"));
    wires = new Wires(members);
    cluster = new TestCluster(root, members, settings -> settings.withBindHost(Wires.BEHIND));
    for (TestCluster.Node node : cluster.nodes.values()) {
      cluster.start(node);
    }
    cluster.applyAll("before ", 5);
    cluster.awaitAgreement();
  }

  @AfterEach
  void stop() throws IOException {
    cluster.close();
    wires.close();
  }

  @Test
  void membersFindEachOtherAgainWhenAllTheirConnectionsHaveDiedWithoutASign() {
    cluster.nodes.values().forEach(node -> wires.die(node.member));
    cluster.apply("afterwards");
    cluster.awaitAgreement();
  }

  @Test
  void aFollowerIsReachedAgainWhileTheOthersGoOn() {
    TestCluster.Node leader = cluster.leader();
    TestCluster.Node deaf = cluster.followers().get(0);
    wires.die(deaf.member);
    cluster.apply("afterwards");
    cluster.awaitAgreement();
    assertThat(cluster.leader()).isSameAs(leader);
    assertThat(deaf.machine.position()).isEqualTo(leader.machine.position());
  }
}
