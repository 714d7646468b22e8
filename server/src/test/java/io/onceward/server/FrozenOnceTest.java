package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.ClusterId;
import io.onceward.Command;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Request;
import io.onceward.server.engine.Machine;
import io.onceward.wire.NodeStatus;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What changes while the state stands frozen is there twice, and there is room for that once. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FrozenOnceTest {
  private static final ClusterId ID = new ClusterId(1, 2);

  @TempDir Path folder;
  private final Counting service = new Counting();
  private Node node;
  private long position;

  /** Counts how often it stands frozen, and has not been written. */
  private static final class Counting implements Service {
    final AtomicInteger frozen = new AtomicInteger();
    final AtomicInteger writtenOnce = new AtomicInteger();

    @Override
    public Reply execute(Command command) {
      return Reply.ok("");
    }

    @Override
    public Frozen freeze() {
      frozen.incrementAndGet();
      return out -> {
        out.write(0);
        writtenOnce.incrementAndGet();
      };
    }

    @Override
    public void restore(InputStream in) {}
  }

  @BeforeEach
  void start() {
    node = new Node(ServerSettings.alone(folder, 1, 2), service);
    node.attach(new NodeTest.Log());
    apply(0, new Request.FormCluster(ID));
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private void apply(long tag, Request request) {
    position++;
    node.apply(
        position,
        1,
        new LogEntry(tag, 1_700_000_000_000L, List.of(new LogEntry.Proposal("a", request)))
            .encode(),
        null);
  }

  private void applyAll(int count) {
    for (int i = 0; i < count; i++) {
      apply(ID.tag(), new Request.Unkeyed(Bytes.utf8("x")));
    }
  }

  @Test
  void digestSomebodyAsksForWaitsForTheSnapshot() throws Exception {
    Machine.View snapshot = node.freeze();
    CompletableFuture<NodeStatus> asked = CompletableFuture.supplyAsync(() -> node.status(true));
    applyAll(3);
    assertThat(node.status(false).position()).as("others go on").isEqualTo(4);
    assertThat(asked).isNotDone();
    assertThat(service.frozen).hasValue(1);
    snapshot.writeTo(OutputStream.nullOutputStream());
    assertThat(asked.get(20, TimeUnit.SECONDS).position()).isEqualTo(4);
  }

  @Test
  void snapshotIsNotBegunTwiceAndClosedOneLeaves() {
    Machine.View first = node.freeze();
    assertThat(node.freeze()).isNull();
    first.close();
    assertThat(node.freeze()).isNotNull();
  }

  @Test
  void comparisonThatFindsASnapshotHasTheNextTurn() throws Exception {
    applyAll(10);
    Machine.View snapshot = node.freeze();
    apply(ID.tag(), new Request.CompareDigests());
    assertThat(service.frozen).hasValue(1);
    snapshot.writeTo(OutputStream.nullOutputStream());
    assertThat(node.holdsSnapshotBack()).isTrue();
    apply(ID.tag(), new Request.CompareDigests());
    assertThat(service.frozen).hasValue(2);
    assertThat(node.holdsSnapshotBack()).isFalse();
    // It leaves when its digest is computed.
    Machine.View next = node.freeze();
    while (next == null) {
      Thread.onSpinWait();
      next = node.freeze();
    }
    assertThat(service.writtenOnce).hasValue(2);
    next.close();
  }
}
