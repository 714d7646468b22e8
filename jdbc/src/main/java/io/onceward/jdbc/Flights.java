package io.onceward.jdbc;

import io.onceward.guard.Ask;
import io.onceward.guard.GuardedId;
import io.onceward.guard.Ruling;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The requests that this process is deciding. Copies of one wait here for the first, and not in the
 * database, where each would occupy a connection (E4, G5).
 */
final class Flights {
  private final ConcurrentHashMap<GuardedId, Flight> flights = new ConcurrentHashMap<>();

  /** A request on its way. Its ruling is known only after the commit. */
  static final class Flight {
    private final Ask ask;
    private final CompletableFuture<@Nullable Ruling> landed = new CompletableFuture<>();

    Flight(Ask ask) {
      this.ask = ask;
    }

    Ask ask() {
      return ask;
    }

    /**
     * Waits for the ruling; null if there is none, because the first copy failed.
     *
     * @throws TimeoutException if the first copy is still on its way
     */
    @Nullable Ruling await(long nanos) throws InterruptedException, TimeoutException {
      try {
        return landed.get(nanos, TimeUnit.NANOSECONDS);
      } catch (ExecutionException e) {
        throw new IllegalStateException("a flight lands, it does not fail", e);
      }
    }
  }

  /** The flight of an earlier copy, or null if this one is now the first. */
  @Nullable Flight follow(Flight own) {
    return flights.putIfAbsent(own.ask().id(), own);
  }

  /** The first copy is through. Later copies are on their own; those that wait hear the ruling. */
  void land(Flight own, @Nullable Ruling ruling) {
    flights.remove(own.ask().id(), own);
    own.landed.complete(ruling);
  }
}
