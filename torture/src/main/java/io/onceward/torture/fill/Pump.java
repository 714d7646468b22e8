package io.onceward.torture.fill;

import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.torture.client.Copycat;
import io.onceward.wire.Answer;
import java.io.Closeable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/** Sends request after request, past the library: what is refused is counted, not retried. */
final class Pump implements Closeable {
  static final String DONE = "done";
  static final String OVERLOADED = Refusal.OVERLOADED.name();

  private static final int MOST_OPEN = 500;
  private static final int REFUSED_IN_A_ROW = 1_000;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final int KIBIBYTE = 1 << 10;

  private final Copycat copycat;

  Pump(List<String> addresses) {
    copycat = new Copycat(addresses);
  }

  /** How much is sent at most, and how much of it may be unanswered at a time. */
  record Bound(long bytes, long nanos, int openKibibytes) {}

  /**
   * What came of it: how many answers of each kind.
   *
   * @param full whether everything was refused in the end
   */
  record Tally(long sent, long bytes, Map<String, Long> answers, boolean full) {
    long count(String kind) {
      return answers.getOrDefault(kind, 0L);
    }
  }

  /** What is sent, one after the other; null ends it. */
  interface Requests {
    @Nullable Request at(long index);
  }

  /**
   * Sends until the bound is met, or everything is refused for lack of room.
   *
   * @param decided is given each decision and the index of its request, on another thread
   */
  Tally run(
      Requests requests,
      Bound bound,
      Function<Decision, String> kinds,
      ObjLongConsumer<Decision> decided)
      throws InterruptedException {
    Semaphore open = new Semaphore(MOST_OPEN);
    Semaphore kibibytes = new Semaphore(bound.openKibibytes());
    Map<String, Long> answers = new ConcurrentSkipListMap<>();
    AtomicLong refusedInARow = new AtomicLong();
    AtomicLong undecidedNanos = new AtomicLong(System.nanoTime() - PAUSE_NANOS);
    long end = System.nanoTime() + bound.nanos();
    long sent = 0;
    long bytes = 0;
    while (bytes < bound.bytes()
        && System.nanoTime() < end
        && refusedInARow.get() < REFUSED_IN_A_ROW) {
      // Whoever does not lead is not to be asked the rest of it meanwhile.
      LockSupport.parkNanos(PAUSE_NANOS - (System.nanoTime() - undecidedNanos.get()));
      Request request = requests.at(sent);
      if (request == null) {
        break;
      }
      long index = sent++;
      int length = RequestCodec.encode(request).length;
      int room = Math.min(bound.openKibibytes(), length / KIBIBYTE + 1);
      bytes += length;
      open.acquire();
      kibibytes.acquire(room);
      copycat.send(
          request,
          answer -> {
            String kind = kindOf(answer, kinds);
            answers.merge(kind, 1L, Long::sum);
            if (kind.equals(OVERLOADED)) {
              refusedInARow.incrementAndGet();
            } else {
              refusedInARow.set(0);
            }
            if (answer instanceof Answer.Decided told) {
              decided.accept(told.decision(), index);
            } else {
              undecidedNanos.set(System.nanoTime());
            }
            kibibytes.release(room);
            open.release();
          });
    }
    boolean full = refusedInARow.get() >= REFUSED_IN_A_ROW;
    if (!open.tryAcquire(MOST_OPEN, 2, TimeUnit.MINUTES)) {
      answers.merge("no answer", (long) (MOST_OPEN - open.availablePermits()), Long::sum);
    }
    return new Tally(sent, bytes, answers, full);
  }

  private static String kindOf(@Nullable Answer answer, Function<Decision, String> kinds) {
    if (answer instanceof Answer.Decided told) {
      return kinds.apply(told.decision());
    }
    return answer == null ? "lost" : answer.getClass().getSimpleName();
  }

  /** What a decision is, for those who ask nothing special. */
  static String kindOf(Decision decision) {
    if (decision instanceof Decision.Refused refused) {
      return refused.refusal().name();
    }
    if (decision instanceof Decision.Rejected rejected) {
      return "rejected: " + rejected.reason();
    }
    if (decision instanceof Decision.Replied replied) {
      return switch (replied.reply().kind()) {
        case OK -> DONE;
        case BUSINESS_ERROR -> "business error: " + replied.reply().bytes().asText();
        case FAILED, REPLY_TOO_LARGE -> replied.reply().kind().name();
      };
    }
    return DONE;
  }

  @Override
  public void close() {
    copycat.close();
  }
}
