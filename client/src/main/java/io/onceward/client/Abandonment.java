package io.onceward.client;

/** What abandoning a request led to; either way it is decided now (O2). */
public sealed interface Abandonment {

  /** Too late: it had executed, and this is what it answered. */
  record Executed(Decided decided) implements Abandonment {}

  /**
   * It did not execute, and every late copy is refused. The same may be asked under a new id.
   *
   * @param forEver false for undated keys, which are closed until their retention ends
   */
  record Closed(boolean forEver) implements Abandonment {}
}
