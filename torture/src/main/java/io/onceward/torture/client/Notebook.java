package io.onceward.torture.client;

import io.onceward.Decision;
import io.onceward.Executed;
import io.onceward.client.Abandonment;
import io.onceward.client.Decided;
import io.onceward.client.OutcomeUnknownException;
import io.onceward.client.RefusedException;
import io.onceward.client.UnreachableException;
import io.onceward.testkit.history.HistoryWriter;
import io.onceward.torture.client.Workload.Errand;
import io.onceward.wire.Answer;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Keeps the history of one process and knows what is still open in it. */
final class Notebook {
  private final HistoryWriter history;
  private final Consumer<String> complaints;
  private final Set<String> pending = ConcurrentHashMap.newKeySet();
  private final AtomicLong decided = new AtomicLong();

  Notebook(HistoryWriter history, Consumer<String> complaints) {
    this.history = history;
    this.complaints = complaints;
  }

  int pending() {
    return pending.size();
  }

  /** Answers so far, those of copies included. */
  long decided() {
    return decided.get();
  }

  /** An errand is about to be sent for the first time. */
  long asking(String client, String id, Errand errand) {
    pending.add(id);
    return history.invoked(client, errand.service(), id, errand.command());
  }

  /** A further copy of it is about to be sent. */
  long copying(String client, String id, Errand errand) {
    return history.invoked(client, errand.service(), id, errand.command());
  }

  /**
   * Writes down what becomes of an op.
   *
   * @param settle how to decide a request whose caller stopped waiting; null to leave it open
   * @param told is told of a decision after that is written down
   */
  void heed(
      long op,
      String client,
      String id,
      String service,
      boolean ordered,
      CompletableFuture<Decided> answer,
      @Nullable Supplier<CompletableFuture<Abandonment>> settle,
      Consumer<Decided> told) {
    var unused =
        answer.whenComplete(
            (decision, problem) -> {
              if (decision != null) {
                history.answered(op, decision, ordered);
                decided.incrementAndGet();
                told.accept(decision);
                pending.remove(id);
                return;
              }
              Throwable cause = cause(problem);
              if (cause instanceof RefusedException refused) {
                history.refused(op, refused.refusal(), refused.executed());
                decided.incrementAndGet();
                pending.remove(id);
              } else if (cause instanceof OutcomeUnknownException && settle != null) {
                history.unknown(op);
                settle(client, id, service, settle);
              } else {
                history.unknown(op);
                pending.remove(id);
                complaints.accept(client + ", " + id + ": " + cause);
              }
            });
  }

  /** Abandons a request, which decides; again until that is heard. */
  private void settle(
      String client, String id, String service, Supplier<CompletableFuture<Abandonment>> settle) {
    long op = history.inquired(client, service, id);
    var unused =
        settle
            .get()
            .whenComplete(
                (fate, problem) -> {
                  Throwable cause = cause(problem);
                  if (fate != null) {
                    history.learned(op, fate);
                    decided.incrementAndGet();
                    pending.remove(id);
                  } else if (cause instanceof RefusedException refused) {
                    history.refused(op, refused.refusal(), refused.executed());
                    pending.remove(id);
                  } else if (cause instanceof UnreachableException
                      || cause instanceof OutcomeUnknownException) {
                    history.unknown(op);
                    settle(client, id, service, settle);
                  } else {
                    history.unknown(op);
                    pending.remove(id);
                    complaints.accept(client + " abandons " + id + ": " + cause);
                  }
                });
  }

  /** What a single copy led to; null if there was no answer. */
  void heard(long op, @Nullable Answer heard) {
    if (heard instanceof Answer.QueryTold told) {
      history.answered(op, told.reply());
      decided.incrementAndGet();
      return;
    }
    if (!(heard instanceof Answer.Decided answer)) {
      history.unknown(op);
    } else if (answer.decision() instanceof Decision.Replied replied) {
      history.answered(
          op, replied.reply(), replied.position(), replied.timeMillis(), replied.replay());
      decided.incrementAndGet();
    } else if (answer.decision() instanceof Decision.Refused refused) {
      history.refused(op, refused.refusal(), Executed.of(refused.executed()));
      decided.incrementAndGet();
    } else {
      history.unknown(op);
      complaints.accept("a copy was answered with " + answer.decision());
    }
  }

  /** Asks a question that changes nothing. */
  void query(
      String client,
      Errand question,
      Supplier<CompletableFuture<io.onceward.Reply>> asking,
      Consumer<io.onceward.Reply> told) {
    long op = history.queried(client, question.service(), question.command());
    String id = "query " + op;
    pending.add(id);
    var unused =
        asking
            .get()
            .whenComplete(
                (reply, problem) -> {
                  if (reply != null) {
                    history.answered(op, reply);
                    told.accept(reply);
                    decided.incrementAndGet();
                  } else {
                    history.unknown(op);
                    Throwable cause = cause(problem);
                    if (!(cause instanceof UnreachableException)) {
                      complaints.accept(client + " asks: " + cause);
                    }
                  }
                  pending.remove(id);
                });
  }

  /** A question to one node is about to be sent. */
  long querying(String client, Errand question) {
    return history.queried(client, question.service(), question.command());
  }

  /** An errand of an earlier process that this one has to finish. */
  long resuming(String client, String id, String service) {
    pending.add(id);
    return history.inquired(client, service, id);
  }

  private static @Nullable Throwable cause(@Nullable Throwable problem) {
    return problem instanceof CompletionException wrapped && wrapped.getCause() != null
        ? wrapped.getCause()
        : problem;
  }
}
