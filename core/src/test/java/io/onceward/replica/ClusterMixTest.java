package io.onceward.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Decision.Done;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two logs that count positions and terms alike are told apart by the cluster in each entry. */
class ClusterMixTest {
  private static final ClusterId OURS = new ClusterId(0xa1, 1);
  private static final ClusterId OTHER = new ClusterId(0xb2, 2);

  private final TextService service = new TextService();
  private Replica replica = new Replica(service);
  private final List<Decision> decisions = new ArrayList<>();

  @Test
  void entryOfAnotherClusterStopsTheReplicaBeforeItChanges() {
    form();
    String before = replica.digest();
    assertThatThrownBy(() -> apply(2, OTHER.tag(), unkeyed("x")))
        .isInstanceOf(MixedClustersException.class)
        .hasMessageContaining("two clusters are mixed: entry 2")
        .hasMessageContaining("00000000000000b2")
        .hasMessageContaining(OURS.toString());
    assertThat(service.executions).isZero();
    assertThat(replica.digest()).isEqualTo(before);
  }

  @Test
  void untaggedEntryStopsAFormedReplica() {
    form();
    assertThatThrownBy(() -> apply(2, 0, unkeyed("x"))).isInstanceOf(MixedClustersException.class);
  }

  @Test
  void taggedEntryStopsAnUnformedReplica() {
    assertThatThrownBy(() -> apply(1, OTHER.tag(), unkeyed("x")))
        .isInstanceOf(MixedClustersException.class)
        .hasMessageContaining("none yet");
  }

  @Test
  void secondFormationIsRefusedAsAWhole() {
    form();
    apply(2, OURS.tag(), new Request.SetParameter(Parameter.MAX_TABLE_BYTES, 1 << 20));
    decisions.clear();
    apply(
        3,
        0,
        new Request.FormCluster(OTHER),
        new Request.SetParameter(Parameter.MAX_TABLE_BYTES, 2 << 20),
        unkeyed("x"));
    assertThat(decisions).containsOnly(Formation.ALREADY_FORMED).hasSize(3);
    assertThat(replica.clusterId()).isEqualTo(OURS);
    assertThat(replica.parameter(Parameter.MAX_TABLE_BYTES)).isEqualTo(1 << 20);
    assertThat(service.executions).isZero();
  }

  @Test
  void reformationNeedsTheIdThatIsThere() throws IOException {
    form();
    apply(2, OURS.tag(), new Request.ReformCluster(OTHER, new ClusterId(3, 3)));
    assertThat(decisions.get(1)).isInstanceOf(Decision.Rejected.class);
    apply(3, OURS.tag(), new Request.ReformCluster(OURS, OTHER), unkeyed("x"));
    assertThat(decisions.get(2)).isEqualTo(new Done());
    assertThat(replica.clusterId()).isEqualTo(OTHER);
    assertThatThrownBy(() -> apply(4, OURS.tag(), unkeyed("y")))
        .isInstanceOf(MixedClustersException.class);
    apply(4, OTHER.tag(), unkeyed("y"));
    String digest = replica.digest();
    ByteArrayOutputStream snapshot = new ByteArrayOutputStream();
    replica.freeze().writeTo(snapshot);
    replica = Replica.restore(service, new ByteArrayInputStream(snapshot.toByteArray()));
    assertThat(replica.digest()).isEqualTo(digest);
    assertThat(replica.belongsTo(OURS)).isTrue();
    assertThat(replica.belongsTo(OTHER)).isTrue();
    assertThat(replica.belongsTo(ClusterId.NONE)).isTrue();
    assertThat(replica.belongsTo(new ClusterId(3, 3))).isFalse();
  }

  private void form() {
    apply(1, 0, new Request.FormCluster(OURS));
    assertThat(replica.clusterId()).isEqualTo(OURS);
  }

  private void apply(long position, long clusterTag, Request... requests) {
    List<LogEntry.Proposal> proposals = new ArrayList<>();
    for (Request request : requests) {
      proposals.add(new LogEntry.Proposal("alice", request));
    }
    byte[] entry = new LogEntry(clusterTag, 1_000, proposals).encode();
    replica.apply(position, 1, entry, (ordinal, decision) -> decisions.add(decision));
  }

  private static Request unkeyed(String command) {
    return new Request.Unkeyed(Bytes.utf8(command));
  }
}
