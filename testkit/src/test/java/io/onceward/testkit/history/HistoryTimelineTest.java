package io.onceward.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Executed;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.testkit.history.HistoryTimeline.Stretch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTimelineTest {
  private static final long MILLI = 1_000_000;
  private static final long BEGIN = -5_000 * MILLI;
  private static final Reply REPLY = Reply.ok(Bytes.utf8("done"));

  @TempDir Path folder;
  private long now = BEGIN;

  @Test
  void countsEveryAnswerWhereItWasHeard() throws IOException {
    Path one = folder.resolve("one");
    Path other = folder.resolve("other");
    try (HistoryWriter writer = HistoryWriter.create(one, () -> now)) {
      long executed = command(writer, "r1", 10);
      long replayed = command(writer, "r1", 20);
      long query = at(30, () -> writer.queried("c", "counters", Bytes.EMPTY));
      at(90, () -> writer.answered(executed, REPLY, 1, 1, false));
      at(100, () -> writer.answered(replayed, REPLY, 1, 1, true));
      at(199, () -> writer.answered(query, REPLY));
      long unanswered = command(writer, "r2", 200);
      assertThat(unanswered).isEqualTo(4);
    }
    try (HistoryWriter writer = HistoryWriter.create(other, () -> now)) {
      long refused = command(writer, "r3", 50);
      long unknown = command(writer, "r4", 60);
      long inquiry = at(150, () -> writer.inquired("c", "counters", "r4"));
      at(250, () -> writer.refused(refused, Refusal.ABANDONED, Executed.NEVER));
      at(260, () -> writer.unknown(unknown));
      at(290, () -> writer.answered(inquiry, REPLY, 2, 2, true));
      long late = command(writer, "r5", 299);
      at(300, () -> writer.answered(late, REPLY, 3, 3, false));
    }
    HistoryTimeline timeline =
        HistoryTimeline.of(List.of(one, other), BEGIN, BEGIN + 300 * MILLI, 100 * MILLI);
    assertThat(timeline.stretches())
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("p50Micros", "p99Micros")
        .containsExactly(
            new Stretch(BEGIN, 1, 0, 0, 0, 0, 0, 0, 80_000),
            new Stretch(BEGIN + 100 * MILLI, 0, 1, 0, 0, 1, 0, 0, 169_000),
            new Stretch(BEGIN + 200 * MILLI, 0, 1, 1, 1, 0, 0, 0, -1));
    assertThat(timeline.unanswered()).isEqualTo(1);
  }

  @Test
  void countsAnOpOnceHoweverOftenItEnds() throws IOException {
    Path path = folder.resolve("again");
    try (HistoryWriter writer = HistoryWriter.create(path, () -> now)) {
      long op = command(writer, "r1", 1);
      at(2, () -> writer.answered(op, REPLY, 1, 1, false));
      at(3, () -> writer.refused(op, Refusal.ACKNOWLEDGED, Executed.YES));
      at(4, () -> writer.unknown(op));
    }
    HistoryTimeline timeline =
        HistoryTimeline.of(List.of(path), BEGIN, BEGIN + 10 * MILLI, 10 * MILLI);
    assertThat(timeline.stretches())
        .containsExactly(new Stretch(BEGIN, 1, 0, 0, 0, 0, 1_000, 1_000, 1_000));
    assertThat(timeline.unanswered()).isZero();
  }

  @Test
  void tellsTheMiddleAndTheSlowestOfManyWaits() throws IOException {
    List<Integer> waits = new ArrayList<>();
    for (int millis = 1; millis <= 1_000; millis++) {
      waits.add(millis);
    }
    Collections.shuffle(waits, new Random(7));
    Path path = folder.resolve("waits");
    try (HistoryWriter writer = HistoryWriter.create(path, () -> now)) {
      for (int millis : waits) {
        long op = command(writer, "r" + millis, 2_000 - millis);
        at(2_000, () -> writer.answered(op, REPLY, 1, 1, false));
      }
    }
    Stretch stretch =
        HistoryTimeline.of(List.of(path), BEGIN, BEGIN + 3_000 * MILLI, 3_000 * MILLI)
            .stretches()
            .get(0);
    assertThat(stretch.p50Micros()).isBetween(490_000L, 510_000L);
    assertThat(stretch.p99Micros()).isBetween(970_000L, 1_000_000L);
    assertThat(stretch.maxMicros()).isEqualTo(1_000_000);
  }

  @Test
  void neverIsOffByMoreThanItSays() {
    for (long micros = 0; micros < 1L << 40; micros = micros + 1 + micros / 7) {
      Waits waits = new Waits();
      waits.add(micros);
      // A longer one, so that the answer is the step and not the longest.
      waits.add(4 * micros + 100);
      assertThat((double) waits.share(50)).isBetween(micros * 0.98, micros * 1.02);
    }
  }

  private long command(HistoryWriter writer, String id, long millis) {
    return at(millis, () -> writer.invoked("c", "counters", id, Bytes.EMPTY));
  }

  private long at(long millis, java.util.function.LongSupplier event) {
    now = BEGIN + millis * MILLI;
    return event.getAsLong();
  }

  private void at(long millis, Runnable event) {
    now = BEGIN + millis * MILLI;
    event.run();
  }
}
