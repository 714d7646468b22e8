package io.onceward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.ClusterId;
import io.onceward.wire.Difference;
import io.onceward.wire.NodeStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StatusCommandTest {
  private static final long CLOCK = 1_700_000_000_000L;

  private static ClusterView.Seen node(String id, @Nullable Difference difference) {
    return node(id, difference, 0);
  }

  private static ClusterView.Seen node(String id, @Nullable Difference difference, long ahead) {
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
            CLOCK + ahead,
            0,
            0,
            0,
            0,
            "",
            0,
            0,
            0,
            CLOCK,
            List.of(),
            difference);
    return new ClusterView.Seen("127.0.0.1:7400", null, status);
  }

  @Test
  void tableShowsHowFarLogTimeIsFromTheClock() {
    List<ClusterView.Seen> nodes =
        List.of(
            node("n1", null, 999), node("n2", null, 31_536_000_000L), node("n3", null, -300_500));
    List<String> lines = StatusCommand.table(nodes, false).lines().toList();
    int column = lines.get(0).indexOf("LOG TIME");
    assertThat(column).isPositive();
    assertThat(lines.stream().skip(1).map(line -> line.substring(column).strip()))
        .containsExactly("now", "365d ahead", "5m behind");
    assertThat(StatusCommand.json(nodes.get(2)).toString())
        .contains("\"logTimeAheadMillis\":-300500");
  }

  @Test
  void nodeThatWaitsToJoinHasNoLogTime() {
    String table = StatusCommand.table(List.of(node("n4", null, -CLOCK)), false);
    assertThat(table.lines().toList().get(1)).endsWith("-").doesNotContain("behind");
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
