package io.onceward.client;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Executed;
import io.onceward.Fingerprint;
import io.onceward.Outcome;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.RequestId;
import io.onceward.client.session.ClientSession;
import io.onceward.client.session.Journal;
import io.onceward.client.session.JournalState;
import io.onceward.client.session.SessionActions;
import io.onceward.client.session.SessionPlan;
import io.onceward.client.session.SessionRequest;
import io.onceward.replica.Limits;
import io.onceward.replica.Request;
import io.onceward.services.ServiceDirectory;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import io.onceward.wire.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A {@link ClientSession} with threads and a network around it. */
final class LiveSession extends Speaker implements Session, Knowing, SessionActions {
  /** What can stand around a command in its frame. */
  private static final int FRAME_MARGIN = 1 << 10;

  private final Onceward onceward;
  private final SessionPlan plan;
  private final ClientSession logic;
  private final CompletableFuture<LiveSession> opening = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final Call.Sink sink = this::told;

  private final DecidedLately decidedLately = new DecidedLately();
  private long openByMillis = Long.MAX_VALUE;
  private int window;
  private boolean ordered;
  private int inFlight;
  private boolean givenUp;

  /** The address of this incarnation; null until it is open. */
  private volatile Request.@Nullable Address address;

  /** The address under which an earlier process asked what this one has recovered. */
  private final Request.Address recovered;

  /** Why nothing more is taken; null while it is open. */
  private @Nullable OncewardException over;

  /** Why the session is being left, if not because somebody wants that. */
  private @Nullable OncewardException trouble;

  LiveSession(Onceward onceward, SessionPlan plan, @Nullable Journal journal, JournalState kept) {
    super(onceward.nodes());
    this.onceward = onceward;
    this.plan = plan;
    Request.Address before = kept.address();
    this.recovered = before == null ? new Request.Address(0, 0, 0) : before;
    this.logic = new ClientSession(plan, nodes.pace(), this, journal, kept);
    this.inFlight = logic.undecided().size();
  }

  /** Begins to open; to be called once. */
  CompletableFuture<LiveSession> start() {
    enter();
    try {
      // It may have been given up before: nobody would remove it then.
      if (!logic.isEnded()) {
        nodes.add(this);
        openByMillis = nowMillis + onceward.patienceMillis();
        logic.timing(nodes.timing(), nowMillis);
        logic.start(nowMillis);
      }
    } finally {
      exit();
    }
    return opening;
  }

  /** The logic, to be used between {@link #enter} and {@link #exit} only. */
  ClientSession logic() {
    return logic;
  }

  CompletableFuture<Void> ended() {
    return ended;
  }

  // ---- the caller -----------------------------------------------------------------------------

  @Override
  public CompletableFuture<Decided> submit(String service, Bytes command) {
    return submit("", service, command, Long.MAX_VALUE);
  }

  @Override
  public CompletableFuture<Decided> submit(String service, Bytes command, Duration deadline) {
    return submit("", service, command, Millis.after(nodes.nowMillis(), deadline));
  }

  CompletableFuture<Decided> submit(
      String tag, String service, Bytes command, long deadlineMillis) {
    Bytes payload = ServiceDirectory.address(service, command);
    if (payload.length() > Limits.FRAME_BYTES - FRAME_MARGIN) {
      return CompletableFuture.failedFuture(
          new RefusedException(
              new Decision.Refused(Refusal.TOO_LARGE, "frame", Refusal.Executed.NEVER), null));
    }
    Fingerprint fingerprint = Fingerprint.ofPayload(payload);
    Call call = call();
    enter();
    try {
      if (over != null) {
        return CompletableFuture.failedFuture(over);
      }
      logic.submit(payload, fingerprint, tag, call, deadlineMillis, nowMillis);
      inFlight++;
    } finally {
      exit();
    }
    return call;
  }

  /** A wait for a request of this session. */
  Call call() {
    return new Call(sink);
  }

  @Override
  public CompletableFuture<Decided> decision(RequestId id) {
    enter();
    try {
      SessionRequest request = find(id);
      if (request != null && request.attachment() instanceof Call call) {
        return call.another();
      }
      Decision known = owns(id) ? decidedLately.take(((RequestId.OfSequence) id).sequence()) : null;
      if (known != null) {
        CompletableFuture<Decided> decided = new CompletableFuture<>();
        Call.complete(decided, id, known);
        return decided;
      }
    } finally {
      exit();
    }
    return CompletableFuture.failedFuture(
        new OutcomeUnknownException("this session does not wait for it", id));
  }

  @Override
  public CompletableFuture<Outcome> outcome(RequestId id) {
    enter();
    try {
      if (known(id) instanceof Decision.Replied replied) {
        return CompletableFuture.completedFuture(
            new Outcome.Executed(replied.reply(), replied.position(), replied.timeMillis()));
      }
    } finally {
      exit();
    }
    return onceward.inquiries().outcome(id);
  }

  @Override
  public CompletableFuture<Abandonment> abandon(RequestId id) {
    enter();
    try {
      SessionRequest request = find(id);
      if (request != null && request.attachment() instanceof Call call) {
        CompletableFuture<Abandonment> abandoner = call.abandoner();
        logic.abandon(request, nowMillis);
        return abandoner;
      }
      Decision known = known(id);
      if (known != null) {
        return abandoned(id, known);
      }
    } finally {
      exit();
    }
    return onceward.inquiries().abandon(id);
  }

  /** It is decided, and only this process still has the reply: the log may have dropped it (O2). */
  static CompletableFuture<Abandonment> abandoned(RequestId id, Decision known) {
    CompletableFuture<Abandonment> abandonment = new CompletableFuture<>();
    Call.completeAbandoner(abandonment, id, known);
    return abandonment;
  }

  private @Nullable Decision known(RequestId id) {
    return owns(id) ? decidedLately.get(((RequestId.OfSequence) id).sequence()) : null;
  }

  private @Nullable SessionRequest find(RequestId id) {
    return owns(id) ? logic.undecided(((RequestId.OfSequence) id).sequence()) : null;
  }

  /**
   * Whether this incarnation asked it, or recovered it from the journal of the one before. Another
   * one may have used the same sequence for something else, although the session is the same. Any
   * thread may ask.
   */
  @Override
  public boolean owns(RequestId id) {
    return id instanceof RequestId.OfSequence sequence
        && (sequence.address().equals(address) || sequence.address().equals(recovered));
  }

  @Override
  public CompletableFuture<Reply> query(String service, Bytes question) {
    return onceward.query(service, question);
  }

  @Override
  public SessionInfo info() {
    enter();
    try {
      Request.Address address = logic.address();
      return new SessionInfo(
          plan.kind(),
          plan.name(),
          address == null ? new Request.Address(0, 0, 0) : address,
          logic.watermark(),
          logic.nextSequence(),
          window,
          ordered,
          inFlight,
          logic.expiryMillis(),
          logic.keepAliveMillis());
    } finally {
      exit();
    }
  }

  @Override
  public CompletableFuture<Void> closeAsync() {
    enter();
    try {
      if (over == null) {
        over = new SessionClosedException("the session");
        logic.close(nowMillis);
      }
    } finally {
      exit();
    }
    return ended;
  }

  @Override
  public void leave() {
    leave(null);
  }

  /** Leaves for a reason that callers should hear of. */
  void leave(@Nullable OncewardException why) {
    enter();
    try {
      trouble = why;
      logic.leave();
    } finally {
      exit();
    }
  }

  /**
   * Nobody will get this session: whoever wanted it stopped waiting. What was asked for may be open
   * in the log already, so it is waited for, and closed there. A durable name stays as it is.
   */
  void giveUp() {
    enter();
    try {
      if (plan.kind() == ClientKind.DURABLE) {
        logic.leave();
      } else if (logic.isOpen()) {
        var unused = closeAsync();
      } else {
        givenUp = true;
      }
    } finally {
      exit();
    }
  }

  /** Closes the session in the log if nothing is undecided, and leaves it otherwise. */
  CompletableFuture<Void> closeOrLeave() {
    enter();
    try {
      boolean forgettable = plan.kind() != ClientKind.DURABLE && logic.isOpen() && inFlight == 0;
      if (over == null && forgettable) {
        over = new SessionClosedException("the session");
        logic.close(nowMillis);
      } else {
        logic.leave();
      }
    } finally {
      exit();
    }
    return ended;
  }

  @Override
  public void close() {
    CompletableFuture<Void> closing = closeAsync();
    if (nodes.isTransportThread()) {
      return;
    }
    try {
      closing.get(onceward.patienceMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | java.util.concurrent.ExecutionException e) {
      leave();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      leave();
    }
  }

  // ---- events ---------------------------------------------------------------------------------

  @Override
  void answered(Object asked, int copy, Answer answer) {
    logic.answered((SessionRequest) asked, copy, answer, nowMillis);
  }

  @Override
  void rerouted() {
    logic.rerouted(nowMillis);
  }

  @Override
  void timing(Timing timing) {
    logic.timing(timing, nowMillis);
  }

  @Override
  void tick() {
    if (openByMillis <= nowMillis && !logic.isEnded()) {
      trouble =
          new UnreachableException(
              "no session could be opened in time (" + nodes.troubles() + ")", null);
      logic.leave();
    }
    logic.tick(nowMillis);
  }

  @Override
  long wakeMillis() {
    return Math.min(openByMillis, logic.wakeMillis());
  }

  // ---- actions --------------------------------------------------------------------------------

  @Override
  public void send(SessionRequest asked, int copy, Request request) {
    Asked.Wait wait = asked.isPatient() ? Asked.Wait.KEEP_ALIVE : Asked.Wait.USUAL;
    ask(new Asked(this, asked, copy, wait, request.getClass(), () -> Inquiries.logged(request)));
  }

  @Override
  public void read(SessionRequest asked, int copy, ClientKind kind, String name) {
    Supplier<Question> question = () -> new Question.SessionNamed(kind, name);
    ask(new Asked(this, asked, copy, Asked.Wait.USUAL, Question.SessionNamed.class, question));
  }

  @Override
  public long jitterMillis() {
    return onceward.jitterMillis();
  }

  @Override
  public void opened(Decision.Opened opened, Request.Address own) {
    address = own;
    openByMillis = Long.MAX_VALUE;
    window = opened.window();
    ordered = opened.ordered();
    if (givenUp) {
      tell(this::giveUp);
    } else {
      tell(() -> opening.complete(this));
    }
  }

  @Override
  public void decided(SessionRequest request, Decision decision) {
    if (request.attachment() instanceof Call call) {
      decidedLately.add(request.sequence(), decision);
      tell(call.decide(id(request), decision));
    }
    inFlight--;
  }

  private void told(RequestId id, Decision decision, boolean heard) {
    decidedLately.told(((RequestId.OfSequence) id).sequence(), decision, heard);
  }

  @Override
  public void waitEnded(SessionRequest request) {
    if (request.attachment() instanceof Call call) {
      RequestId id = id(request);
      tell(() -> call.completeExceptionally(Deadline.over(id)));
    }
  }

  @Override
  public void ended(End end, List<SessionRequest> unknown) {
    openByMillis = Long.MAX_VALUE;
    OncewardException cause = causeOf(end, unknown);
    if (over == null || end instanceof End.Lost) {
      over = cause == null ? new SessionClosedException("the session") : cause;
    }
    OncewardException why = over;
    nodes.remove(this);
    onceward.forget(this);
    tell(
        () -> {
          for (SessionRequest request : unknown) {
            if (request.attachment() instanceof Call call) {
              call.fail(failureOf(end, request, unknown));
            }
          }
          opening.completeExceptionally(why);
          ended.complete(null);
        });
  }

  /**
   * Why the session is over, for those who ask something of it from now on; null if it is closed.
   */
  private @Nullable OncewardException causeOf(End end, List<SessionRequest> unknown) {
    if (end instanceof End.Lost lost) {
      return lost(lost, unknown, Executed.NEVER, null);
    }
    if (end instanceof End.NotOpened refused) {
      return new RefusedException(refused.refused(), null);
    }
    if (end instanceof End.Rejected rejected) {
      return new RejectedException(rejected.reason(), null);
    }
    return trouble;
  }

  private OncewardException failureOf(
      End end, SessionRequest request, List<SessionRequest> unknown) {
    RequestId id = id(request);
    if (end instanceof End.Lost lost) {
      return lost(lost, unknown, Executed.UNKNOWN, id);
    }
    String why = trouble == null ? "the session was left" : String.valueOf(trouble.getMessage());
    return new OutcomeUnknownException(why, id);
  }

  private SessionLostException lost(
      End.Lost lost, List<SessionRequest> unknown, Executed executed, @Nullable RequestId id) {
    List<RequestId> ids = new ArrayList<>();
    List<String> tags = new ArrayList<>();
    for (SessionRequest request : unknown) {
      ids.add(id(request));
      if (!request.tag().isEmpty()) {
        tags.add(request.tag());
      }
    }
    return new SessionLostException(
        lost.refused(), List.copyOf(ids), List.copyOf(tags), executed, id);
  }

  private RequestId id(SessionRequest request) {
    Request.Address address = logic.address();
    return new RequestId.OfSequence(address == null ? recovered : address, request.sequence());
  }
}
