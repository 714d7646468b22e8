package io.onceward.cli.demo;

import io.onceward.Outcome;
import io.onceward.cli.demo.Line.Abandoned;
import io.onceward.cli.demo.Line.Told;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks the cluster once more about every request that a client was told anything about. A reply
 * that is still kept must be the very same; one that the client has acknowledged may be gone, but
 * the cluster must still know that it was there.
 */
final class SameAnswer {
  private static final int MOST_UNDER_WAY = 1_024;
  private static final int PROGRESS = 1_000;

  private final Witness witness;
  private final Duration patience;
  private final Consumer<String> progress;
  private final Semaphore room = new Semaphore(MOST_UNDER_WAY);
  private final Objections objections = new Objections();
  private long asked;
  private long same;
  private long acknowledged;
  private long closed;
  private boolean late;

  SameAnswer(Witness witness, Duration patience, Consumer<String> progress) {
    this.witness = witness;
    this.patience = patience;
    this.progress = progress;
  }

  Finding finding(List<Proof.Client> clients) throws IOException {
    for (Proof.Client client : clients) {
      for (Path file : client.files()) {
        RecordFile.read(file, line -> askAbout(client.name(), line));
      }
    }
    enter(MOST_UNDER_WAY);
    synchronized (this) {
      return new Finding(
          "asked again, same answer",
          Numbers.grouped(asked)
              + " ids: "
              + Numbers.grouped(same)
              + " the same reply byte for byte, "
              + Numbers.grouped(acknowledged)
              + " acknowledged, "
              + Numbers.grouped(closed)
              + " abandoned",
          objections.sentences());
    }
  }

  private void askAbout(String client, Line line) {
    if (line instanceof Told told) {
      if (enter(1)) {
        CompletableFuture<?> unused =
            witness
                .outcome(told.id())
                .whenComplete((outcome, problem) -> heard(client, told, outcome, problem));
      }
    } else if (line instanceof Abandoned abandoned && enter(1)) {
      CompletableFuture<?> unused =
          witness
              .outcome(abandoned.id())
              .whenComplete((outcome, problem) -> heard(client, abandoned, outcome, problem));
    }
  }

  private void heard(
      String client, Told told, @Nullable Outcome outcome, @Nullable Throwable problem) {
    room.release();
    synchronized (this) {
      count();
      if (problem != null) {
        objections.add("the cluster did not tell the outcome of " + told.id() + ": " + problem);
      } else if (outcome instanceof Outcome.Acknowledged) {
        acknowledged++;
      } else if (outcome instanceof Outcome.Executed executed
          && executed.reply().equals(told.reply())
          && executed.position() == told.position()
          && executed.timeMillis() == told.timeMillis()) {
        same++;
      } else {
        objections.add(
            client
                + " was told "
                + Replies.describe(told)
                + " for "
                + told.id()
                + ", but now its outcome is "
                + describe(outcome));
      }
    }
  }

  private void heard(
      String client, Abandoned abandoned, @Nullable Outcome outcome, @Nullable Throwable problem) {
    room.release();
    synchronized (this) {
      count();
      if (problem != null) {
        objections.add(
            "the cluster did not tell the outcome of " + abandoned.id() + ": " + problem);
      } else if (outcome instanceof Outcome.Abandoned || outcome instanceof Outcome.Acknowledged) {
        closed++;
      } else {
        objections.add(
            client
                + " was told that "
                + abandoned.id()
                + " is abandoned, but now its outcome is "
                + describe(outcome));
      }
    }
  }

  private void count() {
    asked++;
    if (asked % PROGRESS == 0) {
      progress.accept("asked again about " + Numbers.grouped(asked) + " requests");
    }
  }

  private static String describe(@Nullable Outcome outcome) {
    return outcome instanceof Outcome.Executed executed
        ? Replies.describe(executed.reply()) + " from position " + executed.position()
        : String.valueOf(outcome);
  }

  /** Waits for room; after one wait that was too long nothing is asked any more. */
  private boolean enter(int permits) {
    if (late) {
      return false;
    }
    try {
      late = !room.tryAcquire(permits, patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      late = true;
    }
    if (late) {
      synchronized (this) {
        objections.add(
            "the cluster answered nothing for "
                + patience.toSeconds()
                + " s while it was asked"
                + " about outcomes");
      }
    }
    return !late;
  }
}
