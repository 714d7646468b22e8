package io.onceward.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.DamagedException;
import io.onceward.Executed;
import io.onceward.Refusal;
import io.onceward.Reply;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryFileTest {
  private static final Bytes COMMAND = Bytes.utf8("do it");

  @TempDir Path folder;

  @Test
  void whatWasWrittenIsRead() throws IOException {
    Path path = folder.resolve("h");
    try (HistoryWriter writer = HistoryWriter.create(path)) {
      long first = writer.invoked("c", "s", "id", COMMAND);
      writer.answered(first, Reply.ok("12345678 done"), 9, 77, true);
      long second = writer.invoked("d", "s", null, COMMAND);
      writer.refused(second, Refusal.OVERLOADED, Executed.NOT_THIS_COPY);
      writer.queried("d", "t", COMMAND);
    }
    History history = History.read(List.of(path));
    assertThat(history.ops).isEqualTo(3);
    assertThat(history.id(0)).isEqualTo("id");
    assertThat(history.payload(0)).isEqualTo(COMMAND);
    assertThat(history.reply(0)).isEqualTo(Reply.ok("12345678 done"));
    assertThat(history.positionOf(0)).isEqualTo(9);
    assertThat(history.logTime(0)).isEqualTo(77);
    assertThat(history.isReplay(0)).isTrue();
    assertThat(history.refusal(1)).isEqualTo(Refusal.OVERLOADED);
    assertThat(history.executed(1)).isEqualTo(Executed.NOT_THIS_COPY);
    assertThat(history.serviceName(2)).isEqualTo("t");
    assertThat(history.kind(2)).isEqualTo(OpKind.QUERY);
    assertThat(history.invokedNanos[1]).isGreaterThanOrEqualTo(history.endedNanos[0]);
  }

  @Test
  void aFileThatEndsAnywhereIsReadUpToThere() throws IOException {
    byte[] whole = Files.readAllBytes(small());
    int before = 0;
    for (int length = 0; length <= whole.length; length++) {
      Path cut = folder.resolve("cut" + length);
      Files.write(cut, Arrays.copyOf(whole, length));
      int ops = History.read(List.of(cut)).ops;
      assertThat(ops).as("cut at %s", length).isGreaterThanOrEqualTo(before);
      before = ops;
    }
    assertThat(before).isEqualTo(2);
  }

  @Test
  void everyFlippedBitIsNoticed() throws IOException {
    byte[] whole = Files.readAllBytes(small());
    for (int bit = 0; bit < 8 * whole.length; bit++) {
      byte[] flipped = whole.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      Path path = folder.resolve("flipped" + bit);
      Files.write(path, flipped);
      assertThatThrownBy(() -> History.read(List.of(path)))
          .as("bit %s", bit)
          .isInstanceOf(DamagedException.class);
    }
  }

  private Path small() throws IOException {
    Path path = folder.resolve("small");
    try (HistoryWriter writer = HistoryWriter.create(path)) {
      writer.answered(writer.invoked("c", "s", "a", COMMAND), Reply.ok("fine"), 1, 2, false);
      writer.unknown(writer.queried("c", "s", COMMAND));
    }
    return path;
  }

  @Test
  void anEarlierHistoryIsNotWrittenOver() throws IOException {
    Path path = small();
    assertThatThrownBy(() -> HistoryWriter.create(path))
        .isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void largePayloadsGrowTheBuffer() throws IOException {
    Path path = folder.resolve("large");
    Bytes large = Bytes.of(new byte[3 << 20]);
    try (HistoryWriter writer = HistoryWriter.create(path)) {
      writer.answered(writer.invoked("c", "s", "a", large), Reply.ok(large), 1, 2, false);
    }
    History history = History.read(List.of(path));
    assertThat(history.payload(0)).isEqualTo(large);
    assertThat(history.reply(0).bytes()).isEqualTo(large);
  }

  @Test
  void manyThreadsMayWriteAndBeInterrupted() throws Exception {
    Path path = folder.resolve("threads");
    List<Thread> threads = new ArrayList<>();
    try (HistoryWriter writer = HistoryWriter.create(path)) {
      for (int i = 0; i < 4; i++) {
        String client = "c" + i;
        Thread thread =
            new Thread(
                () -> {
                  Thread.currentThread().interrupt();
                  for (int n = 0; n < 500; n++) {
                    long op = writer.invoked(client, "s", client + "-" + n, COMMAND);
                    writer.answered(op, Reply.ok(client + "-" + n), 1, 1, false);
                  }
                });
        thread.start();
        threads.add(thread);
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    History history = History.read(List.of(path));
    assertThat(history.ops).isEqualTo(2_000);
    for (int op = 0; op < history.ops; op++) {
      assertThat(history.reply(op).bytes().asText()).isEqualTo(history.id(op));
    }
  }

  /** What the process said it had recorded is there after it was killed. */
  @Test
  void aKilledWriterLosesNothingItRecorded() throws Exception {
    Path path = folder.resolve("killed");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                KilledWriter.class.getName(),
                path.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    long recorded = 0;
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      while (recorded < 1_000) {
        String line = out.readLine();
        assertThat(line).as("what the process says").isNotNull();
        recorded = Long.parseLong(line);
      }
      // By its handle, because the process itself would close the pipe that is read below.
      process.toHandle().destroyForcibly();
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        recorded = line.isEmpty() ? recorded : Math.max(recorded, number(line, recorded));
      }
    }
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(History.read(List.of(path)).ops).isGreaterThanOrEqualTo((int) recorded);
  }

  /** The last line may be torn; a part of a number is smaller than the number. */
  private static long number(String line, long otherwise) {
    return line.chars().allMatch(Character::isDigit) ? Long.parseLong(line) : otherwise;
  }

  /** Records without end and says how far it is. */
  static final class KilledWriter {
    private KilledWriter() {}

    public static void main(String[] args) throws IOException {
      HistoryWriter writer = HistoryWriter.create(Path.of(args[0]));
      while (true) {
        long op = writer.invoked("c", "s", null, COMMAND);
        System.out.println(op);
      }
    }
  }
}
