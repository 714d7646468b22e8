package io.onceward.torture;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What happened in a run and when, counted from its beginning. */
public final class Chronicle {

  /**
   * One fault from its beginning to its end.
   *
   * @param untilMillis when everything that it did was undone
   */
  record Trouble(Fault.Kind kind, String what, long fromMillis, long untilMillis) {}

  private final long beginNanos = System.nanoTime();
  private final Consumer<String> teller;
  private final List<Trouble> troubles = new ArrayList<>();
  private final Map<Fault, Long> open = new LinkedHashMap<>();
  private final Map<Fault.Kind, Long> counts = new EnumMap<>(Fault.Kind.class);

  Chronicle(Consumer<String> teller) {
    this.teller = teller;
  }

  long nowMillis() {
    return (System.nanoTime() - beginNanos) / 1_000_000;
  }

  /** The beginning, in the time of {@link System#nanoTime}. */
  long beginNanos() {
    return beginNanos;
  }

  /** A moment of {@link System#nanoTime}, in milliseconds from the beginning. */
  long millisAt(long nanos) {
    return Math.floorDiv(nanos - beginNanos, 1_000_000L);
  }

  void tell(String what) {
    long millis = nowMillis();
    teller.accept(
        String.format(
            java.util.Locale.ROOT,
            "%3d:%04.1f  %s",
            millis / 60_000,
            millis % 60_000 / 1_000.0,
            what));
  }

  synchronized void begun(Fault fault) {
    counts.merge(fault.kind(), (long) fault.victims(), Long::sum);
    open.put(fault, nowMillis());
  }

  synchronized void ended(Fault fault, long fromMillis) {
    open.remove(fault);
    troubles.add(new Trouble(fault.kind(), fault.what(), fromMillis, nowMillis()));
  }

  /** In the order in which they ended; those of a run that broke off have not, and come last. */
  synchronized List<Trouble> troubles() {
    List<Trouble> all = new ArrayList<>(troubles);
    open.forEach(
        (fault, from) -> all.add(new Trouble(fault.kind(), fault.what(), from, nowMillis())));
    return all;
  }

  /** How often each kind of fault happened, counted by victims. */
  synchronized Map<Fault.Kind, Long> counts() {
    return new EnumMap<>(counts);
  }
}
