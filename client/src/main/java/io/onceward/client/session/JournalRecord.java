package io.onceward.client.session;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.replica.Request;
import org.jspecify.annotations.Nullable;

/** What can stand in a {@link Journal}. {@link JournalState} says what a run of them means. */
public sealed interface JournalRecord {

  /** This opening is about to be sent; a process that comes back sends the very same one (S1). */
  record Opening(Request.Open opening) implements JournalRecord {}

  /** The opening under way was refused; the next one is another. */
  record NotOpened() implements JournalRecord {}

  /**
   * The session is open.
   *
   * @param nextSequence the lowest sequence that this client has not used
   */
  record Opened(Request.Address address, long nextSequence) implements JournalRecord {}

  /** The request is about to be sent. */
  record Asked(long sequence, String tag, @Nullable Fingerprint fingerprint, Bytes payload)
      implements JournalRecord {}

  /**
   * Sequences that somebody used although this journal does not know them; they are to be closed.
   *
   * @param end one above the last of them
   */
  record Holes(long start, long end) implements JournalRecord {}

  /**
   * The request is decided.
   *
   * @param decision a {@link Decision.Replied} or a {@link Decision.Refused}
   */
  record Decided(long sequence, Decision decision) implements JournalRecord {}

  /** The application has taken what is known of this tag; it need not be kept any longer. */
  record Taken(String tag) implements JournalRecord {}

  /** The session is gone: what is undecided is unknown from now on, and never sent again (S8). */
  record Over() implements JournalRecord {}

  /**
   * What an earlier session left, until the application takes it. Written when a journal is
   * rewritten without what is no longer needed.
   *
   * @param fingerprint of what was asked; null if it had none, or an older build wrote this
   * @param decision null if it is not known
   */
  record Left(
      Request.Address address,
      long sequence,
      String tag,
      @Nullable Fingerprint fingerprint,
      @Nullable Decision decision)
      implements JournalRecord {}
}
