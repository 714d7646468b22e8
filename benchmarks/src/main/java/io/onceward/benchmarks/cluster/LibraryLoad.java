package io.onceward.benchmarks.cluster;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.client.Decided;
import io.onceward.client.Onceward;
import io.onceward.client.Session;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests through the client library: as soon as one is decided, the next is asked in its place,
 * on the thread that brought the reply. So the load has no threads of its own, and never waits for
 * one.
 */
final class LibraryLoad implements Running {
  private static final long SETTLE_MILLIS = 60_000;
  private static final int MOST_LANES = 16;
  private static final int OPENINGS_AT_A_TIME = 1_024;

  private final Load load;
  private final Stopwatch watch;
  private final Hearing hearing;
  private final List<Session> sessions = new ArrayList<>();
  private final List<Lane> lanes = new ArrayList<>();

  /** Hears of each decision, before it is counted. */
  interface Hearing {
    void decided(Decided decided);
  }

  private LibraryLoad(Load load, Stopwatch watch, Hearing hearing) {
    this.load = load;
    this.watch = watch;
    this.hearing = hearing;
  }

  static LibraryLoad start(Onceward onceward, Load load, Stopwatch watch, Hearing hearing) {
    LibraryLoad running = new LibraryLoad(load, watch, hearing);
    switch (load.way()) {
      case UNKEYED ->
          running.askWithout(() -> onceward.unkeyed(CountingService.NAME, Command100.BYTES));
      case QUERY -> running.askWithout(() -> onceward.query(CountingService.NAME, Bytes.EMPTY));
      default -> {
        running.openAll(onceward);
        running.askInSessions();
      }
    }
    return running;
  }

  private void openAll(Onceward onceward) {
    Deque<CompletableFuture<Session>> opening = new ArrayDeque<>();
    for (int i = 0; i < load.sessions(); i++) {
      if (opening.size() == OPENINGS_AT_A_TIME) {
        sessions.add(opening.remove().join());
      }
      opening.add(onceward.openSession());
    }
    opening.forEach(future -> sessions.add(future.join()));
  }

  private void askWithout(Supplier<CompletableFuture<Reply>> asking) {
    askAll(Collections.nCopies(load.active(), asking));
  }

  /** Those that are active are spread among those that are not. */
  private void askInSessions() {
    List<Supplier<CompletableFuture<Decided>>> asking = new ArrayList<>();
    int step = sessions.size() / load.active();
    for (int i = 0; i < load.active(); i++) {
      Session session = sessions.get(i * step);
      asking.add(() -> session.submit(CountingService.NAME, Command100.BYTES));
    }
    askAll(asking);
  }

  private <T> void askAll(List<Supplier<CompletableFuture<T>>> asking) {
    for (int i = 0; i < Math.min(asking.size(), MOST_LANES); i++) {
      lanes.add(new Lane(watch));
    }
    for (int i = 0; i < load.inFlight(); i++) {
      int who = i % asking.size();
      new Slot<>(lanes.get(who % lanes.size()), asking.get(who)).next();
    }
  }

  /** One of the requests in flight; whenever it is decided it is asked anew. */
  private final class Slot<T> implements BiConsumer<@Nullable T, @Nullable Throwable> {
    private final Lane lane;
    private final Supplier<CompletableFuture<T>> asking;
    private long startNanos;

    Slot(Lane lane, Supplier<CompletableFuture<T>> asking) {
      this.lane = lane;
      this.asking = asking;
    }

    void next() {
      lane.asked();
      startNanos = System.nanoTime();
      CompletableFuture<T> unused = asking.get().whenComplete(this);
    }

    @Override
    public void accept(@Nullable T told, @Nullable Throwable problem) {
      long nanos = System.nanoTime() - startNanos;
      if (told instanceof Decided decided) {
        hearing.decided(decided);
      }
      if (problem != null) {
        lane.failed(problem);
      } else if (lane.decided(nanos)) {
        next();
      }
    }
  }

  @Override
  public void settle() throws InterruptedException {
    for (Lane lane : lanes) {
      lane.settle(SETTLE_MILLIS);
    }
    Deque<CompletableFuture<Void>> closing = new ArrayDeque<>();
    for (Session session : sessions) {
      if (closing.size() == OPENINGS_AT_A_TIME) {
        closing.remove().join();
      }
      closing.add(session.closeAsync());
    }
    closing.forEach(CompletableFuture::join);
  }

  @Override
  public Tally tally() {
    Tally sum = lanes.stream().map(Lane::tally).reduce(Tally::merge).orElseThrow();
    return load.way() == Load.Way.QUERY ? sum.ofReads() : sum;
  }
}
