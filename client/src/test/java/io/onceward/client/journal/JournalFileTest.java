package io.onceward.client.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.DamagedException;
import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.client.session.JournalRecord;
import io.onceward.client.session.JournalState;
import io.onceward.replica.Request;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalFileTest {
  private static final Request.Address ADDRESS = new Request.Address(1, 2, 3);

  @TempDir Path folder;
  private Path path;
  private final List<Long> synced = new ArrayList<>();
  private final List<IOException> failures = new ArrayList<>();

  @BeforeEach
  void choosePath() {
    path = folder.resolve("x.journal");
  }

  private JournalFile open() throws IOException {
    return listening(JournalFile.open(path, "x", Runnable::run));
  }

  private JournalFile listening(JournalFile journal) {
    journal.listen(
        new JournalFile.Listener() {
          @Override
          public void synced(long mark) {
            synced.add(mark);
          }

          @Override
          public void failed(IOException cause) {
            failures.add(cause);
          }
        });
    return journal;
  }

  private static JournalRecord asked(long sequence) {
    return new JournalRecord.Asked(
        sequence, "t" + sequence, new Fingerprint(sequence), Bytes.utf8("command " + sequence));
  }

  private static JournalRecord decided(long sequence) {
    return new JournalRecord.Decided(
        sequence, new Decision.Replied(Reply.ok("reply " + sequence), true, 5, 6));
  }

  @Test
  void recordThatCannotFollowLeavesNothing() throws IOException {
    try (JournalFile journal = open()) {
      assertThatThrownBy(() -> journal.append(decided(7)))
          .isInstanceOf(IllegalArgumentException.class);
      journal.append(all().get(0));
      journal.sync();
    }
    assertThat(failures).isEmpty();
    open().close();
  }

  private static List<JournalRecord> all() {
    return List.of(
        new JournalRecord.Opening(
            new Request.Open(ClientKind.DURABLE, "x", 1, 2, 3, 4, true, true, 5)),
        new JournalRecord.NotOpened(),
        new JournalRecord.Opened(ADDRESS, 7),
        asked(7),
        new JournalRecord.Asked(8, "größer", null, Bytes.EMPTY),
        new JournalRecord.Holes(9, 11),
        decided(7),
        new JournalRecord.Decided(
            8, new Decision.Refused(Refusal.TOO_LARGE, "command", Refusal.Executed.NEVER)),
        new JournalRecord.Taken("t7"),
        new JournalRecord.Over(),
        new JournalRecord.Left(ADDRESS, 3, "left", new Fingerprint(9), null),
        new JournalRecord.Left(
            ADDRESS,
            4,
            "known",
            null,
            new Decision.Replied(Reply.businessError("no"), false, 1, 2)));
  }

  @Test
  void everyRecordSurvivesItsBytes() throws IOException {
    for (JournalRecord record : all()) {
      byte[] bytes = RecordCodec.encode(record);
      assertThat(RecordCodec.decode(new DataInputStream(new ByteArrayInputStream(bytes))))
          .isEqualTo(record);
    }
  }

  /** As builds before this one wrote it. */
  @Test
  void recordWithoutAFingerprintIsReadToo() throws IOException {
    ByteBuffer old = ByteBuffer.allocate(42);
    old.put((byte) 9).putLong(1).putLong(2).putLong(3).putLong(4).putInt(4);
    old.put("left".getBytes(StandardCharsets.UTF_8)).put((byte) 0);
    assertThat(old.hasRemaining()).isFalse();
    assertThat(RecordCodec.decode(new DataInputStream(new ByteArrayInputStream(old.array()))))
        .isEqualTo(new JournalRecord.Left(ADDRESS, 4, "left", null, null));
  }

  @Test
  void whatWasSyncedIsThereAgain() throws IOException {
    List<JournalRecord> before;
    try (JournalFile journal = open()) {
      assertThat(journal.recovered().entries()).isEmpty();
      JournalState state = new JournalState();
      for (JournalRecord record : all()) {
        journal.append(record);
        journal.sync();
        state.apply(record);
      }
      before = state.records();
      assertThat(synced).hasSize(all().size()).isSorted();
    }
    try (JournalFile journal = open()) {
      assertThat(journal.recovered().records()).isEqualTo(before);
    }
  }

  @Test
  void manyRecordsShareASync() throws IOException {
    List<Runnable> tasks = new ArrayList<>();
    try (JournalFile journal = listening(JournalFile.open(path, "x", tasks::add))) {
      journal.append(new JournalRecord.Opened(ADDRESS, 1));
      for (int i = 1; i <= 100; i++) {
        journal.append(asked(i));
        journal.sync();
      }
      assertThat(synced).isEmpty();
      assertThat(tasks).hasSize(1);
      tasks.get(0).run();
      assertThat(synced).containsExactly(101L);
    }
  }

  @Test
  void closingSyncsWhatIsLeft() throws IOException {
    try (JournalFile journal = open()) {
      journal.append(new JournalRecord.Opened(ADDRESS, 4));
    }
    assertThat(synced).containsExactly(1L);
    try (JournalFile journal = open()) {
      assertThat(journal.recovered().nextSequence()).isEqualTo(4);
    }
  }

  /** As if the process had been killed while this byte was being written. */
  @Test
  void aFileThatEndsAnywhereIsReadUpToItsLastWholeBatch() throws IOException {
    List<List<JournalRecord>> states = new ArrayList<>();
    List<Long> ends = new ArrayList<>();
    try (JournalFile journal = open()) {
      JournalState state = new JournalState();
      states.add(state.records());
      ends.add(Files.size(path));
      for (int i = 1; i <= 6; i++) {
        JournalRecord[] batch =
            i == 1
                ? new JournalRecord[] {new JournalRecord.Opened(ADDRESS, 1), asked(1)}
                : new JournalRecord[] {
                  asked(i), decided(i - 1), new JournalRecord.Taken("t" + (i - 1))
                };
        for (JournalRecord record : batch) {
          journal.append(record);
          state.apply(record);
        }
        journal.sync();
        states.add(state.records());
        ends.add(Files.size(path));
      }
    }
    byte[] whole = Files.readAllBytes(path);
    long head = ends.get(0);
    for (int length = (int) head; length <= whole.length; length++) {
      byte[] cut = java.util.Arrays.copyOf(whole, length);
      int batch = 0;
      while (batch + 1 < ends.size() && ends.get(batch + 1) <= length) {
        batch++;
      }
      JournalImage image = JournalImage.read(cut);
      assertThat(image.state().records()).as("cut at %d", length).isEqualTo(states.get(batch));
      assertThat(image.soundBytes()).as("cut at %d", length).isEqualTo(ends.get(batch));
      if (length % 50 == 0) {
        goesOn(cut);
      }
    }
    for (int length = 1; length < head; length++) {
      byte[] cut = java.util.Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> JournalImage.read(cut))
          .as("cut at %d", length)
          .isInstanceOf(DamagedException.class);
    }
  }

  private void goesOn(byte[] content) throws IOException {
    Files.write(path, content);
    try (JournalFile journal = open()) {
      journal.append(new JournalRecord.Opened(ADDRESS, 1_000));
    }
    try (JournalFile journal = open()) {
      assertThat(journal.recovered().nextSequence()).isEqualTo(1_000);
    }
  }

  @Test
  void zeroesBehindTheLastBatchAreCutOff() throws IOException {
    writeBatches(2);
    byte[] whole = Files.readAllBytes(path);
    Files.write(path, java.util.Arrays.copyOf(whole, whole.length + 5_000));
    try (JournalFile journal = open()) {
      assertThat(journal.recovered().nextSequence()).isEqualTo(3);
    }
  }

  @Test
  void aFlippedBitAnywhereIsRefused() throws IOException {
    writeBatches(3);
    byte[] whole = Files.readAllBytes(path);
    for (int i = 0; i < whole.length; i++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] flipped = whole.clone();
        flipped[i] ^= (byte) (1 << bit);
        assertThatThrownBy(() -> JournalImage.read(flipped))
            .as("bit %d of byte %d", bit, i)
            .isInstanceOf(DamagedException.class)
            .hasMessageContaining("journal is damaged at byte");
      }
    }
  }

  @Test
  void aBatchOfWhichSectorsWereNeverWrittenIsCutOff() throws IOException {
    writeBatches(2);
    int sound = Files.readAllBytes(path).length;
    try (JournalFile journal = open()) {
      for (int i = 3; i <= 60; i++) {
        journal.append(asked(i));
      }
    }
    byte[] whole = Files.readAllBytes(path);
    for (int border = (sound + 511) / 512 * 512; border < whole.length; border += 512) {
      byte[] unfinished = whole.clone();
      Arrays.fill(unfinished, border, whole.length, (byte) 0);
      JournalImage read = JournalImage.read(unfinished);
      assertThat(read.state().nextSequence()).as("zeros from %d", border).isEqualTo(3);
      assertThat(read.soundBytes()).isEqualTo(sound);
    }
  }

  private void writeBatches(int count) throws IOException {
    try (JournalFile journal = open()) {
      journal.append(new JournalRecord.Opened(ADDRESS, 1));
      for (int i = 1; i <= count; i++) {
        journal.append(asked(i));
        journal.sync();
      }
    }
  }

  @Test
  void aSecondUserIsTurnedAwayClearly() throws IOException {
    try (JournalFile journal = open()) {
      assertThat(journal.recovered().entries()).isEmpty();
      assertThatThrownBy(this::open)
          .isInstanceOf(JournalLockedException.class)
          .hasMessageContaining("locked by this process");
    }
    open().close();
  }

  /** Closing any descriptor of a locked file drops the lock of the whole process. */
  @Test
  void secondAttemptHereKeepsOtherProcessesOut() throws Exception {
    try (JournalFile journal = open()) {
      assertThat(journal.recovered().entries()).isEmpty();
      assertThatThrownBy(this::open).isInstanceOf(JournalLockedException.class);
      Path link = Files.createSymbolicLink(folder.resolve("link"), path);
      assertThatThrownBy(() -> JournalFile.open(link, "x", Runnable::run))
          .isInstanceOf(JournalLockedException.class);
      assertAnotherProcessIsTurnedAway();
    }
  }

  @Test
  void anotherProcessIsTurnedAwayToo() throws Exception {
    try (JournalFile journal = open()) {
      assertThat(journal.recovered().entries()).isEmpty();
      assertAnotherProcessIsTurnedAway();
    }
  }

  private void assertAnotherProcessIsTurnedAway() throws Exception {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Opener.class.getName(),
                path.toString())
            .redirectErrorStream(true)
            .start();
    String said =
        new String(other.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    assertThat(other.waitFor()).as(said).isEqualTo(3);
    assertThat(said).contains("locked by process " + ProcessHandle.current().pid());
  }

  /** Opens a journal in a process of its own. */
  static final class Opener {
    private Opener() {}

    public static void main(String[] arguments) throws IOException {
      try {
        JournalFile.open(Path.of(arguments[0]), "x", Runnable::run).close();
      } catch (JournalLockedException e) {
        System.out.println(e.getMessage());
        System.exit(3);
      }
    }
  }

  @Test
  void theJournalOfAnotherClientIsRefused() throws IOException {
    open().close();
    assertThatThrownBy(() -> JournalFile.open(path, "y", Runnable::run))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("belongs to \"x\", not to \"y\"");
  }

  @Test
  void aFailedWriteIsToldAndNeverTriedAgain() throws IOException {
    JournalFile journal = open();
    journal.append(new JournalRecord.Opened(ADDRESS, 1));
    journal.append(new JournalRecord.Asked(1, "t", null, Bytes.of(new byte[300 << 10])));
    // The next batch needs a rewrite, and its new file cannot be made.
    Files.createDirectory(path.resolveSibling("x.journal.new"));
    journal.sync();
    assertThat(failures).hasSize(1);
    assertThat(synced).isEmpty();
    Files.delete(path.resolveSibling("x.journal.new"));
    journal.append(new JournalRecord.Opened(ADDRESS, 2));
    journal.sync();
    assertThat(failures).hasSize(1);
    assertThat(synced).isEmpty();
    assertThatThrownBy(journal::close).isInstanceOf(IOException.class);
    open().close();
  }

  @Test
  void anEmptyFileIsANewJournal() throws IOException {
    Files.createFile(path);
    try (JournalFile journal = open()) {
      assertThat(journal.recovered().nextSequence()).isEqualTo(1);
    }
  }

  @Test
  void impossibleNameLeavesNoFile_L1() {
    for (String name : List.of("n".repeat(129), "n".repeat(300), "lone \ud800", "")) {
      assertThatThrownBy(() -> JournalFile.open(path, name, Runnable::run))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the name of a client");
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void loneSurrogateIsNeverWritten() throws IOException {
    try (JournalFile journal = open()) {
      assertThatThrownBy(() -> journal.append(new JournalRecord.Taken("t \udc00")))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(
              () -> journal.append(new JournalRecord.Asked(1, "t \ud800", null, Bytes.EMPTY)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    open().close();
  }

  @Test
  void foldersOfANewJournalAreMade() throws IOException {
    path = folder.resolve("a/b/c/x.journal");
    open().close();
    assertThat(path).exists();
  }

  @Test
  void executorThatRefusesOnceDoesNotStopSyncing() throws IOException {
    boolean[] refuses = {true};
    try (JournalFile journal =
        listening(
            JournalFile.open(
                path,
                "x",
                task -> {
                  if (refuses[0]) {
                    throw new OutOfMemoryError("unable to create native thread");
                  }
                  task.run();
                }))) {
      long mark = journal.append(new JournalRecord.Opened(ADDRESS, 1));
      assertThatThrownBy(journal::sync).isInstanceOf(OutOfMemoryError.class);
      refuses[0] = false;
      journal.sync();
      assertThat(synced).containsExactly(mark);
    }
  }

  @Test
  void listenerThatThrowsHearsThatItIsOver() throws IOException {
    JournalFile journal = JournalFile.open(path, "x", Runnable::run);
    journal.listen(
        new JournalFile.Listener() {
          @Override
          public void synced(long mark) {
            throw new IllegalStateException("the network's fault");
          }

          @Override
          public void failed(IOException cause) {
            failures.add(cause);
          }
        });
    journal.append(new JournalRecord.Opened(ADDRESS, 1));
    journal.sync();
    assertThat(failures).hasSize(1);
    assertThatThrownBy(journal::close).isInstanceOf(IOException.class);
    try (JournalFile again = open()) {
      assertThat(again.recovered().address()).as("it was durable all the same").isEqualTo(ADDRESS);
    }
  }

  @Test
  void manyLargeRecordsAreSeveralBatches() throws IOException {
    try (JournalFile journal = open()) {
      journal.append(new JournalRecord.Opened(ADDRESS, 1));
      for (int i = 1; i <= 6; i++) {
        journal.append(new JournalRecord.Asked(i, "t" + i, null, Bytes.of(new byte[8 << 20])));
      }
      journal.sync();
    }
    try (JournalFile journal = open()) {
      assertThat(journal.recovered().entries()).hasSize(6);
    }
    assertThat(JournalImage.read(Files.readAllBytes(path)).batches()).isGreaterThan(2);
  }
}
