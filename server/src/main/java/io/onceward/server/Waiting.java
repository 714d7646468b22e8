package io.onceward.server;

import io.onceward.Bytes;
import org.jspecify.annotations.Nullable;

/** One place in an entry, and all copies that wait for what is decided there. */
final class Waiting {
  final String principal;
  final Bytes frame;

  /** Who waits, or whose copy made the door add this; null if the node itself asks. */
  final @Nullable Visitor visitor;

  final long ticket;
  final @Nullable Twin twin;

  /** What the door logs by itself; nobody waits for an answer to it. */
  final Additions.@Nullable Addition addition;

  /** Whether this is, or joined, a keep-alive, which is accounted apart. */
  boolean keepAlive;

  /** A copy that came later and waits for the same decision. */
  @Nullable Waiting copy;

  Waiting(
      String principal,
      Bytes frame,
      @Nullable Visitor visitor,
      long ticket,
      @Nullable Twin twin,
      Additions.@Nullable Addition addition) {
    this.principal = principal;
    this.frame = frame;
    this.visitor = visitor;
    this.ticket = ticket;
    this.twin = twin;
    this.addition = addition;
  }
}
