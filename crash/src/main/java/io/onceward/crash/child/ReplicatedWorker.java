package io.onceward.crash.child;

import io.onceward.Bytes;
import io.onceward.Key;
import io.onceward.client.Decided;
import io.onceward.client.DurableSession;
import io.onceward.client.JournalException;
import io.onceward.client.Onceward;
import io.onceward.crash.Step;
import io.onceward.crash.Step.Moment;
import io.onceward.crash.Step.Phase;
import io.onceward.crash.bank.BankService;
import io.onceward.crash.bank.Transfer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Transfers in the replicated bank. Some lanes have a durable name and a journal, in which the
 * request is called by its name; the others send it under its key.
 */
class ReplicatedWorker implements Worker {
  /** About what it takes from submitting to the decision. */
  private static final int DURING_MILLIS = 15;

  private final int lane;
  private final Onceward onceward;
  private final @Nullable Path journal;
  private final Stops stops;
  private final Gates gates;
  private @Nullable DurableSession session;

  ReplicatedWorker(int lane, Onceward onceward, @Nullable Path journal, Stops stops, Gates gates) {
    this.lane = lane;
    this.onceward = onceward;
    this.journal = journal;
    this.stops = stops;
    this.gates = gates;
  }

  @Override
  public void prepare() {
    onceward.query(BankService.NAME, Bytes.EMPTY).join();
  }

  /** Not before: a journal has one owner at a time. */
  @Override
  public void begin() throws IOException {
    if (journal != null) {
      session = onceward.openDurable("lane-" + lane, journal).join();
      openAgain(journal);
    }
  }

  /** A mistake that applications make; it must not harm the session that has the journal. */
  private void openAgain(Path open) {
    try {
      onceward.openDurable("lane-" + lane, open).join();
    } catch (CompletionException refused) {
      if (refused.getCause() instanceof JournalException) {
        return;
      }
      throw refused;
    }
    throw new IllegalStateException("a journal was opened twice in one process");
  }

  @Override
  public String run(Key key, Transfer transfer) {
    gates.reopen();
    stops.reach(Phase.SUBMIT, Moment.BEFORE);
    gates.close(Phase.SUBMIT, stops);
    boolean toBeStopped = stops.wants(Step.SUBMIT_DURING);
    if (toBeStopped) {
      long delay = ThreadLocalRandom.current().nextLong(DURING_MILLIS);
      Gates.background(
          () -> {
            Thread.sleep(delay);
            stops.reach(Step.SUBMIT_DURING);
          });
    }
    Decided decided = submit(key, transfer).join();
    if (toBeStopped) {
      stops.stay();
    }
    stops.reach(Phase.SUBMIT, Moment.AFTER);
    return Worker.replied(decided.reply(), decided.replay(), false);
  }

  CompletableFuture<Decided> submit(Key key, Transfer transfer) {
    Bytes command = transfer.encode();
    return session != null
        ? session.submit(transfer.request(), BankService.NAME, command)
        : onceward.keyed().keepingReplies().submit(key, BankService.NAME, command);
  }

  final Onceward onceward() {
    return onceward;
  }

  @Override
  public void taken(String request) {
    if (session != null) {
      session.taken(request);
    }
  }
}
