package io.onceward.guard;

import io.onceward.Reply;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that looks like one of another process, unless it is told to call itself memory: it
 * answers no glances, and can be made to have troubles with the next calls of a method, before or
 * after they are taken.
 */
final class Troubled implements ClaimStore {
  /** What happens around a call. */
  interface Trouble {
    <T> T around(Supplier<T> call);

    /** The store does not answer and did nothing. */
    static Trouble away() {
      return new Trouble() {
        @Override
        public <T> T around(Supplier<T> call) {
          throw new StoreUnavailableException("away", null);
        }
      };
    }

    /** The store takes the step, but its answer is lost. */
    static Trouble answerLost() {
      return new Trouble() {
        @Override
        public <T> T around(Supplier<T> call) {
          var unused = call.get();
          throw new StoreUnavailableException("answer lost", null);
        }
      };
    }

    /** The store takes the step, and something happens before the answer arrives. */
    static Trouble answerAfter(Runnable first) {
      return new Trouble() {
        @Override
        public <T> T around(Supplier<T> call) {
          T answer = call.get();
          first.run();
          return answer;
        }
      };
    }

    static Trouble throwing(RuntimeException failure) {
      return new Trouble() {
        @Override
        public <T> T around(Supplier<T> call) {
          throw failure;
        }
      };
    }
  }

  final Queue<Trouble> claims = new ConcurrentLinkedQueue<>();
  final Queue<Trouble> completions = new ConcurrentLinkedQueue<>();
  final Queue<Trouble> releases = new ConcurrentLinkedQueue<>();
  final Queue<Trouble> doubts = new ConcurrentLinkedQueue<>();
  final AtomicInteger claimed = new AtomicInteger();
  final AtomicInteger completed = new AtomicInteger();
  final Queue<String> threads = new ConcurrentLinkedQueue<>();

  /** Completions that were sent by a thread whose interrupt flag was up. */
  final AtomicInteger interrupted = new AtomicInteger();

  /** Not null while no completion gets through; told of each that is tried. */
  volatile @Nullable Runnable completionsAway;

  private final ClaimStore store;
  private final Durability durability;

  Troubled(ClaimStore store) {
    this(store, Durability.DURABLE);
  }

  Troubled(ClaimStore store, Durability durability) {
    this.store = store;
    this.durability = durability;
  }

  private <T> T call(Queue<Trouble> troubles, Supplier<T> call) {
    threads.add(Thread.currentThread().getName());
    Trouble trouble = troubles.poll();
    return trouble == null ? call.get() : trouble.around(call);
  }

  @Override
  public Claimed claim(Ask ask, ClaimTerms terms) {
    claimed.incrementAndGet();
    return call(claims, () -> store.claim(ask, terms));
  }

  @Override
  public boolean done(GuardedId id, long fence, Reply reply) {
    completed.incrementAndGet();
    if (Thread.currentThread().isInterrupted()) {
      interrupted.incrementAndGet();
    }
    Runnable tried = completionsAway;
    if (tried != null) {
      tried.run();
      throw new StoreUnavailableException("away", null);
    }
    return call(completions, () -> store.done(id, fence, reply));
  }

  @Override
  public boolean unknown(GuardedId id, long fence, String why) {
    return call(doubts, () -> store.unknown(id, fence, why));
  }

  @Override
  public boolean release(GuardedId id, long fence) {
    return call(releases, () -> store.release(id, fence));
  }

  @Override
  public Claimed rerun(Ask ask, long fence, ClaimTerms terms) {
    return store.rerun(ask, fence, terms);
  }

  @Override
  public @Nullable Claimed glance(Ask ask) {
    return null;
  }

  @Override
  public List<UnknownRequest> unknowns(int atMost) {
    return store.unknowns(atMost);
  }

  @Override
  public List<Evidence> evidence(GuardedId id) {
    return store.evidence(id);
  }

  @Override
  public int sweep(int atMost) {
    return store.sweep(atMost);
  }

  @Override
  public Durability durability() {
    return durability;
  }

  @Override
  public void close() {
    store.close();
  }
}
