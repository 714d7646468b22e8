package io.onceward.torture.fill;

import io.onceward.Decision;
import io.onceward.replica.Request;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One thing to fill, and how it is emptied again.
 *
 * @param first what has to be there before, or null
 * @param fill the request that adds the thing of this number
 * @param decided is given the decision about each
 * @param kinds what a decision counts as
 * @param undo the request that takes the thing of this number away; null if it is not there, or if
 *     nothing can take it away before its time
 * @param limited whether a limit must be met: everything that stays is bounded by memory
 * @param sharing whether services and tables must still have room for others when it is full
 */
record Filler(
    String name,
    @Nullable Request first,
    LongFunction<Request> fill,
    ObjLongConsumer<Decision> decided,
    Function<Decision, String> kinds,
    LongFunction<@Nullable Request> undo,
    boolean limited,
    boolean sharing) {

  static Filler of(String name, LongFunction<Request> fill, LongFunction<@Nullable Request> undo) {
    return new Filler(name, null, fill, (decision, i) -> {}, Pump::kindOf, undo, true, false);
  }

  Filler after(Request request) {
    return new Filler(name, request, fill, decided, kinds, undo, limited, sharing);
  }

  Filler noting(ObjLongConsumer<Decision> note) {
    return new Filler(name, first, fill, note, kinds, undo, limited, sharing);
  }

  Filler counting(Function<Decision, String> other) {
    return new Filler(name, first, fill, decided, other, undo, limited, sharing);
  }

  /** Nothing of it stays, so no limit need be met. */
  Filler passing() {
    return new Filler(name, first, fill, decided, kinds, undo, false, sharing);
  }

  /** It may take a part of the room and no more. */
  Filler leavingRoom() {
    return new Filler(name, first, fill, decided, kinds, undo, limited, true);
  }
}
