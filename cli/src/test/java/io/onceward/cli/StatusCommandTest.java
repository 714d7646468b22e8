package io.onceward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.ClusterId;
import io.onceward.wire.Difference;
import io.onceward.wire.NodeStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StatusCommandTest {
  private static ClusterView.Seen node(String id, @Nullable Difference difference) {
    NodeStatus status =
        new NodeStatus(
            id,
            "0.1.0",
            new ClusterId(1, 2),
            "follower",
            "n1",
            List.of(),
            1,
            90,
            90,
            0,
            0,
            0,
            0,
            0,
            0,
            "",
            0,
            0,
            0,
            0,
            List.of(),
            difference);
    return new ClusterView.Seen("127.0.0.1:7400", null, status);
  }

  @Test
  void nodesThatAreTheSameAreNoAlarm() {
    ClusterView.Seen silent = new ClusterView.Seen("127.0.0.1:7401", null, null);
    assertThat(StatusCommand.differences(List.of(node("n1", null), silent))).isEmpty();
    assertThat(StatusCommand.json(node("n1", null)).toString())
        .contains("\"differs\":false")
        .doesNotContain("comparedAt");
  }

  @Test
  void nodeThatDiffersIsAnAlarmWithPositionAndBothDigests() {
    ClusterView.Seen odd = node("n3", new Difference(77, "aaaa", "bbbb"));
    assertThat(StatusCommand.differences(List.of(node("n1", null), odd)))
        .contains("ALARM: n3 differs from the leader: at position 77")
        .contains("its digest is aaaa")
        .contains("the leader's  bbbb")
        .doesNotContain("n1 differs");
    assertThat(StatusCommand.json(odd).toString())
        .contains("\"differs\":true")
        .contains("\"comparedAt\":77")
        .contains("\"ownDigest\":\"aaaa\"")
        .contains("\"leadersDigest\":\"bbbb\"");
  }
}
