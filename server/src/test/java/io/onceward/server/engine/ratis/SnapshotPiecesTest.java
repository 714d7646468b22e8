package io.onceward.server.engine.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.proto.RaftProtos.FileChunkProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.util.MD5FileUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotPiecesTest {
  private static final int PIECES = 3 * SnapshotPieces.IN_FLIGHT;

  @TempDir Path root;

  private final SnapshotPieces pieces = new SnapshotPieces();
  private final List<Long> gated = new ArrayList<>();

  private byte[] written() throws IOException {
    byte[] bytes = new byte[PIECES * SnapshotPieces.PIECE_BYTES - 77];
    new Random(1).nextBytes(bytes);
    Files.createDirectories(root.resolve("sm"));
    Files.write(file(), bytes);
    return bytes;
  }

  private Path file() {
    return root.resolve("sm").resolve("snapshot.2_30");
  }

  private Iterator<InstallSnapshotRequestProto> attempt() throws IOException {
    MD5Hash digest = MD5FileUtil.computeMd5ForFile(file().toFile());
    SingleFileSnapshotInfo snapshot =
        new SingleFileSnapshotInfo(new FileInfo(file(), digest), TermIndex.valueOf(2, 30));
    InstallSnapshotRequestProto frame =
        InstallSnapshotRequestProto.newBuilder().setLeaderTerm(7).build();
    return pieces.of(frame, "attempt", snapshot, root, gated::add).iterator();
  }

  private static FileChunkProto chunk(InstallSnapshotRequestProto message) {
    return message.getSnapshotChunk().getFileChunks(0);
  }

  private static boolean holds(InstallSnapshotRequestProto message, byte[] bytes) {
    return Arrays.equals(chunk(message).getData().toByteArray(), bytes);
  }

  private static byte[] piece(byte[] bytes, int index) {
    int from = index * SnapshotPieces.PIECE_BYTES;
    int to = Math.min(bytes.length, from + SnapshotPieces.PIECE_BYTES);
    return Arrays.copyOfRange(bytes, from, to);
  }

  @Test
  void whatMayStillBeOnItsWayIsNotOverwritten() throws Exception {
    byte[] bytes = written();
    List<InstallSnapshotRequestProto> messages = new ArrayList<>();
    for (Iterator<InstallSnapshotRequestProto> left = attempt(); left.hasNext(); ) {
      messages.add(left.next());
      int newest = messages.size() - 1;
      for (int i = Math.max(0, newest - SnapshotPieces.IN_FLIGHT); i <= newest; i++) {
        assertThat(holds(messages.get(i), piece(bytes, i))).as("piece %s", i).isTrue();
      }
    }
    assertThat(messages).hasSize(PIECES);
    for (int i = 0; i < PIECES; i++) {
      InstallSnapshotRequestProto message = messages.get(i);
      assertThat(message.getLeaderTerm()).isEqualTo(7);
      assertThat(message.getSnapshotChunk().getRequestIndex()).isEqualTo(i);
      assertThat(message.getSnapshotChunk().getTotalSize()).isEqualTo(bytes.length);
      assertThat(message.getSnapshotChunk().getDone()).isEqualTo(i == PIECES - 1);
      assertThat(chunk(message).getFilename()).isEqualTo("sm/snapshot.2_30");
      assertThat(chunk(message).getOffset()).isEqualTo((long) i * SnapshotPieces.PIECE_BYTES);
    }
  }

  /** Ratis keeps all messages for a while, those of attempts that failed as well. */
  @Test
  void allMessagesOfAllAttemptsTogetherHoldAFewBuffers() throws Exception {
    written();
    List<InstallSnapshotRequestProto> messages = new ArrayList<>();
    for (int attempt = 0; attempt < 5; attempt++) {
      Iterator<InstallSnapshotRequestProto> left = attempt();
      for (int i = 0; i < SnapshotPieces.IN_FLIGHT; i++) {
        messages.add(left.next());
      }
    }
    byte[] zeros = new byte[PIECES * SnapshotPieces.PIECE_BYTES];
    Files.write(file(), zeros);
    for (Iterator<InstallSnapshotRequestProto> left = attempt(); left.hasNext(); ) {
      left.next();
    }
    byte[] zero = piece(zeros, 0);
    // Counted, since a message that fails would be printed with its megabyte.
    assertThat(messages.stream().filter(message -> holds(message, zero)).count()).isEqualTo(40);
  }

  @Test
  void afterTheFirstPiecesEachWaitsForAnAnswerThatIsNewerThanThePieceBefore() throws Exception {
    written();
    Iterator<InstallSnapshotRequestProto> left = attempt();
    for (int i = 0; i < SnapshotPieces.AT_FIRST; i++) {
      left.next();
    }
    assertThat(gated).isEmpty();
    long earlier = System.nanoTime();
    left.next();
    long between = System.nanoTime();
    left.next();
    assertThat(gated).hasSize(2);
    assertThat(gated.get(0) - earlier).isNegative();
    assertThat(gated.get(1) - earlier).isPositive();
    assertThat(gated.get(1) - between).isLessThanOrEqualTo(0);
  }

  @Test
  void aSnapshotThatIsShorterThanItWasIsNotSent() throws Exception {
    written();
    Iterator<InstallSnapshotRequestProto> left = attempt();
    left.next();
    Files.write(file(), new byte[SnapshotPieces.PIECE_BYTES + 1]);
    assertThatThrownBy(left::next)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cannot be sent: it ends before byte");
  }

  @Test
  void aFollowerThatWasAwayGetsASnapshotOfManyPieces() throws Exception {
    try (TestCluster cluster =
        TestCluster.of(
            root,
            3,
            settings ->
                settings.withSnapshots(1_000_000, 1L << 40, 0).withSizes(1 << 20, 1 << 18))) {
      cluster.apply("first");
      TestCluster.Node away = cluster.followers().get(0);
      cluster.stop(away);
      String large = "z".repeat(200_000);
      cluster.applyAll(large, 120);
      cluster.leader().engine.takeSnapshot().get(30, TimeUnit.SECONDS);
      cluster.apply("second");
      cluster.leader().engine.takeSnapshot().get(30, TimeUnit.SECONDS);
      cluster.start(away);
      TestCluster.await(
          "the snapshot",
          60,
          () -> !away.machine.restored.isEmpty() && away.machine.position() > 120);
      cluster.awaitAgreement();
    }
  }
}
