package io.onceward.client;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.IdText;
import io.onceward.Outcome;
import io.onceward.Reply;
import io.onceward.RequestId;
import io.onceward.client.journal.JournalFile;
import io.onceward.client.session.JournalState;
import io.onceward.client.session.SessionPlan;
import io.onceward.client.session.SessionRequest;
import io.onceward.replica.Request;
import io.onceward.services.ServiceDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A {@link LiveSession} with a journal file. */
final class LiveDurableSession implements DurableSession, Knowing, JournalFile.Listener {

  private final Onceward onceward;
  private final Path path;
  private final JournalFile journal;
  private final LiveSession session;
  private final List<Recovered> recovered = new ArrayList<>();

  LiveDurableSession(Onceward onceward, SessionPlan plan, Path path, JournalFile journal) {
    this.onceward = onceward;
    this.path = path;
    this.journal = journal;
    JournalState kept = journal.recovered();
    List<JournalState.Entry> entries = kept.entries();
    Request.Address before = kept.address();
    this.session = new LiveSession(onceward, plan, journal, kept);
    for (JournalState.Entry entry : entries) {
      Request.Address of = entry.left() == null ? before : entry.left();
      if (of == null) {
        throw new IllegalStateException("an entry of no session: " + entry.tag());
      }
      recover(entry, new RequestId.OfSequence(of, entry.sequence()));
    }
    journal.listen(this);
  }

  private void recover(JournalState.Entry entry, RequestId id) {
    Decision decision = entry.decision();
    Recovered.State state;
    CompletableFuture<Decided> waiting;
    if (decision != null) {
      state = Recovered.State.DECIDED;
      waiting = new CompletableFuture<>();
      Call.complete(waiting, id, decision);
    } else if (entry.left() != null) {
      state = Recovered.State.UNKNOWN;
      waiting =
          CompletableFuture.failedFuture(new OutcomeUnknownException("its session is gone", id));
    } else {
      state = Recovered.State.UNDECIDED;
      Call call = session.call();
      attach(entry.sequence(), call);
      waiting = call;
    }
    recovered.add(new Recovered(entry.tag(), id, state, waiting));
  }

  private void attach(long sequence, Call call) {
    SessionRequest request = session.logic().undecided(sequence);
    if (request == null) {
      throw new IllegalStateException("sequence " + sequence + " is undecided and not to be found");
    }
    request.attach(call);
  }

  CompletableFuture<DurableSession> start() {
    return session
        .start()
        .<DurableSession>thenApply(opened -> this)
        .exceptionallyCompose(
            failure -> {
              // Nobody gets this session, so nobody could close it.
              CompletableFuture<DurableSession> failed = new CompletableFuture<>();
              closeJournal(() -> failed.completeExceptionally(Inquiries.cause(failure)));
              return failed;
            });
  }

  LiveSession session() {
    return session;
  }

  // ---- the caller -----------------------------------------------------------------------------

  @Override
  public CompletableFuture<Decided> submit(String tag, String service, Bytes command) {
    return submit(tag, service, command, Long.MAX_VALUE);
  }

  @Override
  public CompletableFuture<Decided> submit(
      String tag, String service, Bytes command, Duration deadline) {
    long now = onceward.nodes().nowMillis();
    return submit(tag, service, command, Millis.after(now, deadline));
  }

  private CompletableFuture<Decided> submit(
      String tag, String service, Bytes command, long deadlineMillis) {
    IdText.utf8("a tag", tag, 1, MAX_TAG_BYTES);
    Fingerprint fingerprint = Fingerprint.ofPayload(ServiceDirectory.address(service, command));
    session.enter();
    try {
      JournalState.Entry known = session.logic().kept().entry(tag);
      return known == null
          ? session.submit(tag, service, command, deadlineMillis)
          : again(known, fingerprint, deadlineMillis);
    } finally {
      session.exit();
    }
  }

  /** The journal holds the tag: no second request is made for it. */
  private CompletableFuture<Decided> again(
      JournalState.Entry known, Fingerprint fingerprint, long deadlineMillis) {
    // Builds before this one wrote what a session left without its fingerprint.
    boolean comparable = known.left() == null || known.fingerprint() != null;
    if (comparable && !fingerprint.equals(known.fingerprint())) {
      throw new IllegalArgumentException(
          "the journal holds the tag \""
              + known.tag()
              + "\" for another request; take that one first");
    }
    Request.Address of = known.left() == null ? session.logic().kept().address() : known.left();
    if (of == null) {
      throw new IllegalStateException("an entry of no session: " + known.tag());
    }
    RequestId id = new RequestId.OfSequence(of, known.sequence());
    // Of an earlier session: the present one may use the same number for another request.
    SessionRequest request =
        known.left() == null ? session.logic().undecided(known.sequence()) : null;
    CompletableFuture<Decided> waiting = new CompletableFuture<>();
    Decision decision = known.decision();
    if (decision != null) {
      Call.complete(waiting, id, decision);
    } else if (request != null && request.attachment() instanceof Call call) {
      return Deadline.end(call.another(), onceward.nodes(), id, deadlineMillis);
    } else {
      waiting.completeExceptionally(new OutcomeUnknownException("its session is gone", id));
    }
    return waiting;
  }

  @Override
  public List<Recovered> recovered() {
    return List.copyOf(recovered);
  }

  @Override
  public void taken(String tag) {
    session.enter();
    try {
      session.logic().taken(tag, session.nowMillis);
    } finally {
      session.exit();
    }
  }

  @Override
  public CompletableFuture<Outcome> outcome(RequestId id) {
    return inJournal(id) instanceof Decision.Replied replied
        ? CompletableFuture.completedFuture(
            new Outcome.Executed(replied.reply(), replied.position(), replied.timeMillis()))
        : session.outcome(id);
  }

  @Override
  public CompletableFuture<Abandonment> abandon(RequestId id) {
    Decision known = inJournal(id);
    return known == null ? session.abandon(id) : LiveSession.abandoned(id, known);
  }

  /** Whether it asked this, or its journal may hold what became of it. */
  @Override
  public boolean owns(RequestId id) {
    return session.owns(id) || inJournal(id) != null;
  }

  /** What the journal knows of a request that the log may have forgotten; null if it does not. */
  private @Nullable Decision inJournal(RequestId id) {
    if (!(id instanceof RequestId.OfSequence asked)) {
      return null;
    }
    session.enter();
    try {
      for (JournalState.Entry entry : session.logic().kept().entries()) {
        boolean own =
            entry.left() == null ? session.owns(id) : asked.address().equals(entry.left());
        if (own && entry.sequence() == asked.sequence()) {
          return entry.decision();
        }
      }
      return null;
    } finally {
      session.exit();
    }
  }

  @Override
  public CompletableFuture<Reply> query(String service, Bytes question) {
    return session.query(service, question);
  }

  @Override
  public SessionInfo info() {
    return session.info();
  }

  @Override
  public CompletableFuture<Void> end() {
    return session.closeAsync();
  }

  /** Nobody will get this session; the journal is free for the next one who opens it. */
  void giveUp() {
    session.leave();
    onceward.forget(this);
    onceward.onJournalThread(() -> closeJournal(() -> {}));
  }

  @Override
  public void close() {
    session.leave();
    onceward.forget(this);
    closeJournal(() -> {});
  }

  // ---- the journal ----------------------------------------------------------------------------

  @Override
  public void synced(long mark) {
    session.enter();
    try {
      session.logic().synced(mark, session.nowMillis);
    } finally {
      session.exit();
    }
  }

  @Override
  public void failed(IOException cause) {
    session.leave(new JournalException(path, cause));
  }

  /** The disk is slow, so this must not happen on the network's thread. */
  private void closeJournal(Runnable then) {
    Runnable closing =
        () -> {
          try {
            journal.close();
          } catch (IOException e) {
            // Whoever waited was told when it failed; the next process recovers what the disk has.
          } catch (RuntimeException | Error e) {
            Uncaught.report(e);
          } finally {
            then.run();
          }
        };
    if (onceward.nodes().isTransportThread()) {
      onceward.onJournalThread(closing);
    } else {
      closing.run();
    }
  }
}
