package io.onceward.client;

import io.onceward.Decision;
import io.onceward.Outcome;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.RequestId;
import io.onceward.client.session.Asking;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Single questions: queries, outcomes, what administrators ask. Each is asked until it is answered
 * or patience is over. What must not happen twice is sent again only after an answer that says that
 * the copy before did nothing (E10).
 */
final class Inquiries extends Speaker.Heeding implements Knowing {
  private enum State {
    WAITING,
    ASKED,
    DONE
  }

  private static final class Inquiry extends Asking {
    final Question question;
    final boolean once;
    final @Nullable String address;
    final @Nullable RequestId about;
    final Asked.Wait wait;
    final CompletableFuture<Answer> answer = new CompletableFuture<>();
    State state = State.WAITING;
    int copies;
    long deadlineMillis;

    /** Until when an answer is waited for once a copy has left; at least the deadline. */
    final long answerByMillis;

    /** Copies that left and did something, or may have; one that says it did nothing leaves. */
    int effective;

    /** The last answer that there is no room just now; what is told if patience ends with it. */
    @Nullable Answer refused;

    long dueMillis;

    Inquiry(
        Question question,
        boolean once,
        @Nullable String address,
        @Nullable RequestId about,
        Asked.Wait wait,
        long deadlineMillis,
        long answerByMillis) {
      this.question = question;
      this.once = once;
      this.address = address;
      this.about = about;
      this.wait = wait;
      this.deadlineMillis = deadlineMillis;
      this.answerByMillis = answerByMillis;
    }

    @Override
    public boolean isDecided() {
      return state == State.DONE;
    }
  }

  /**
   * How long a step may take once it has left: a new member is sent a snapshot and the log before
   * it counts; a large snapshot is written for a while. Finding somebody who takes the step is a
   * matter of patience, as everything else.
   */
  private static final long STEP_MILLIS = 120_000;

  private final long patienceMillis;
  private final Set<Inquiry> open = new LinkedHashSet<>();
  private long wakeMillis = Long.MAX_VALUE;
  private boolean closed;

  Inquiries(Nodes nodes, long patienceMillis) {
    super(nodes);
    this.patienceMillis = patienceMillis;
  }

  // ---- asking ---------------------------------------------------------------------------------

  /** Asks the leader, as often as it takes. */
  CompletableFuture<Answer> ask(Question question, @Nullable RequestId about) {
    return ask(question, false, null, about, Asked.Wait.USUAL, patienceMillis, 0);
  }

  /**
   * An answer to a question that was perhaps sent several times.
   *
   * @param repeated whether an earlier copy may have done what this answer is silent about
   */
  record Repeatable(Answer answer, boolean repeated) {}

  /** Asks the leader, as often as it takes, and says whether copies before may have had effect. */
  CompletableFuture<Repeatable> askRepeatable(Question question) {
    Inquiry inquiry = begin(question, false, null, null, Asked.Wait.USUAL, patienceMillis, 0);
    return inquiry.answer.thenApply(answer -> new Repeatable(answer, inquiry.effective > 1));
  }

  /** Asks the leader something that must not happen twice. */
  CompletableFuture<Answer> askOnce(Question question) {
    return ask(question, true, null, null, Asked.Wait.USUAL, patienceMillis, 0);
  }

  /** Asks a certain node, for this long unless patience is over before. */
  CompletableFuture<Answer> askAt(String address, Question question, long waitMillis) {
    long millis = Math.min(waitMillis, patienceMillis);
    return ask(question, false, address, null, Asked.Wait.USUAL, millis, 0);
  }

  /** Asks a certain node what it has to work out first. */
  CompletableFuture<Answer> askSlowlyAt(String address, Question question) {
    return ask(question, false, address, null, Asked.Wait.SLOW, patienceMillis, 0);
  }

  /** Asks the leader for a step that takes its time and must not be taken twice. */
  CompletableFuture<Answer> askForStep(Question question) {
    return ask(question, true, null, null, Asked.Wait.SLOW, patienceMillis, STEP_MILLIS);
  }

  /** Asks a certain node for a step that takes its time. */
  CompletableFuture<Answer> askForStepAt(String address, Question question) {
    return ask(question, false, address, null, Asked.Wait.SLOW, patienceMillis, STEP_MILLIS);
  }

  static Question logged(Request request) {
    return new Question.Logged(io.onceward.Bytes.of(RequestCodec.encode(request)));
  }

  private CompletableFuture<Answer> ask(
      Question question,
      boolean once,
      @Nullable String address,
      @Nullable RequestId about,
      Asked.Wait wait,
      long waitMillis,
      long stepMillis) {
    return begin(question, once, address, about, wait, waitMillis, stepMillis).answer;
  }

  private Inquiry begin(
      Question question,
      boolean once,
      @Nullable String address,
      @Nullable RequestId about,
      Asked.Wait wait,
      long waitMillis,
      long stepMillis) {
    enter();
    try {
      long answerBy = nowMillis + Math.max(waitMillis, stepMillis);
      Inquiry inquiry =
          new Inquiry(question, once, address, about, wait, nowMillis + waitMillis, answerBy);
      if (closed) {
        inquiry.answer.completeExceptionally(new SessionClosedException("the client", about));
        return inquiry;
      }
      open.add(inquiry);
      wakeBy(inquiry.deadlineMillis);
      if (address != null || nodes.hasLeader()) {
        send(inquiry);
      }
      return inquiry;
    } finally {
      exit();
    }
  }

  private void send(Inquiry inquiry) {
    inquiry.state = State.ASKED;
    inquiry.copies++;
    inquiry.dueMillis =
        inquiry.wait == Asked.Wait.SLOW
            ? inquiry.answerByMillis
            : nowMillis + nodes.pace().answerTimeoutMillis();
    wakeBy(inquiry.dueMillis);
    Question question = inquiry.question;
    Asked copy =
        new Asked(this, inquiry, inquiry.copies, inquiry.wait, question.getClass(), () -> question);
    if (inquiry.address != null) {
      nodes.askAt(inquiry.address, copy);
      return;
    }
    switch (ask(copy)) {
      case NEW -> inquiry.effective++;
      // The leader was lost just now; this copy never left.
      case DEAD -> rest(inquiry);
      case MERGED -> {}
    }
  }

  private void rest(Inquiry inquiry) {
    inquiry.state = State.WAITING;
    inquiry.dueMillis = nowMillis + nodes.pace().retryDelayMillis();
    wakeBy(inquiry.dueMillis);
  }

  private void fail(Inquiry inquiry, OncewardException failure) {
    finish(inquiry);
    tell(() -> inquiry.answer.completeExceptionally(failure));
  }

  private void finish(Inquiry inquiry) {
    inquiry.state = State.DONE;
    open.remove(inquiry);
  }

  // ---- hearing --------------------------------------------------------------------------------

  @Override
  void answered(Object asked, int copy, Answer answer) {
    Inquiry inquiry = (Inquiry) asked;
    if (inquiry.state == State.DONE) {
      return;
    }
    boolean latest = copy == inquiry.copies && inquiry.state == State.ASKED;
    if (answer instanceof Answer.NotLeader || answer instanceof Answer.Unavailable) {
      inquiry.effective--;
      if (latest) {
        rest(inquiry);
      }
    } else if (isNoRoom(answer)) {
      // No decision: that copy did nothing, and the next one may get in (C1).
      inquiry.effective--;
      inquiry.refused = answer;
      if (latest) {
        rest(inquiry);
      }
    } else if (answer instanceof Answer.Unknown unknown) {
      if (inquiry.once || inquiry.address != null) {
        fail(inquiry, new OutcomeUnknownException(unknown.reason(), inquiry.about));
      } else if (latest) {
        rest(inquiry);
      }
    } else if (answer instanceof Answer.Rejected rejected) {
      inquiry.effective--;
      fail(
          inquiry,
          mayHaveHadEffect(inquiry)
              ? RejectedException.ofLaterCopy(rejected.reason(), inquiry.about)
              : new RejectedException(rejected.reason(), inquiry.about));
    } else {
      finish(inquiry);
      tell(() -> inquiry.answer.complete(answer));
    }
  }

  private static boolean isNoRoom(Answer answer) {
    return answer instanceof Answer.Decided decided
        && decided.decision() instanceof Decision.Refused refused
        && refused.refusal() == Refusal.OVERLOADED;
  }

  @Override
  void lost(Object asked, int copy, boolean left) {
    Inquiry inquiry = (Inquiry) asked;
    if (!left) {
      inquiry.effective--;
    }
    if (inquiry.state != State.ASKED || copy != inquiry.copies) {
      return;
    }
    if (inquiry.once && left) {
      fail(
          inquiry,
          new OutcomeUnknownException("the connection broke before an answer", inquiry.about));
    } else if (inquiry.address != null && inquiry.copies > 1) {
      // The first one may have met an old connection; this node cannot be reached.
      fail(inquiry, outOfPatience(inquiry));
    } else {
      rest(inquiry);
    }
  }

  @Override
  void rerouted() {
    for (Inquiry inquiry : List.copyOf(open)) {
      boolean sendable = inquiry.state == State.WAITING || !inquiry.once;
      if (inquiry.address == null && sendable) {
        send(inquiry);
      }
    }
  }

  @Override
  void tick() {
    if (nowMillis < wakeMillis) {
      return;
    }
    wakeMillis = Long.MAX_VALUE;
    for (Inquiry inquiry : List.copyOf(open)) {
      if (inquiry.deadlineMillis <= nowMillis && isUnderWay(inquiry)) {
        inquiry.deadlineMillis = inquiry.answerByMillis;
      }
      if (inquiry.deadlineMillis <= nowMillis) {
        giveUp(inquiry);
        continue;
      }
      wakeBy(inquiry.deadlineMillis);
      if (inquiry.once && inquiry.state == State.ASKED) {
        continue;
      }
      if (inquiry.dueMillis > nowMillis) {
        wakeBy(inquiry.dueMillis);
      } else if (inquiry.address != null || nodes.hasLeader()) {
        send(inquiry);
      } else {
        rest(inquiry);
      }
    }
  }

  private void giveUp(Inquiry inquiry) {
    OncewardException failure = outOfPatience(inquiry);
    Answer refused = inquiry.refused;
    if (refused == null || mayHaveHadEffect(inquiry)) {
      fail(inquiry, failure);
    } else {
      finish(inquiry);
      tell(() -> inquiry.answer.complete(refused));
    }
  }

  private OncewardException outOfPatience(Inquiry inquiry) {
    withdraw(inquiry);
    if (mayHaveHadEffect(inquiry)) {
      return new OutcomeUnknownException("no answer in time", inquiry.about);
    }
    if (inquiry.address != null) {
      return new UnreachableException(nodes.trouble(inquiry.address), inquiry.about);
    }
    return inquiry.effective == 0
        ? UnreachableException.neverSent(
            "no leader took it in time, so it did nothing (" + nodes.troubles() + ")",
            inquiry.about)
        : new UnreachableException(
            "nobody answered in time (" + nodes.troubles() + ")", inquiry.about);
  }

  private static boolean mayHaveHadEffect(Inquiry inquiry) {
    boolean changes = inquiry.once || inquiry.question instanceof Question.Logged;
    return changes && inquiry.effective > 0;
  }

  /** Whether a copy has left that may be answered yet; one that has not, is not sent any more. */
  private static boolean isUnderWay(Inquiry inquiry) {
    return inquiry.answerByMillis > inquiry.deadlineMillis
        && inquiry.state == State.ASKED
        && inquiry.carrier() != null
        && !withdraw(inquiry);
  }

  /** A copy that still waits to be sent will not be. */
  private static boolean withdraw(Inquiry inquiry) {
    boolean withdrawn =
        inquiry.carrier() instanceof Asked copy
            && copy.connection != null
            && copy.connection.withdraw(copy);
    if (withdrawn) {
      inquiry.effective--;
    }
    return withdrawn;
  }

  @Override
  long wakeMillis() {
    return wakeMillis;
  }

  private void wakeBy(long millis) {
    wakeMillis = Math.min(wakeMillis, millis);
  }

  /** Asks nothing more; what is open is not answered. */
  void close() {
    enter();
    try {
      closed = true;
      for (Inquiry inquiry : List.copyOf(open)) {
        withdraw(inquiry);
        fail(inquiry, closedBeforeAnswer(inquiry));
      }
    } finally {
      exit();
    }
  }

  private static OncewardException closedBeforeAnswer(Inquiry inquiry) {
    if (mayHaveHadEffect(inquiry)) {
      return new OutcomeUnknownException("the client was closed", inquiry.about);
    }
    return inquiry.copies == 0
        ? new SessionClosedException("the client", inquiry.about)
        : new UnreachableException("the client was closed before an answer came", inquiry.about);
  }

  // ---- what answers mean ----------------------------------------------------------------------

  CompletableFuture<Reply> query(io.onceward.Bytes question) {
    return ask(new Question.Query(question), null)
        .thenApply(expect(Answer.QueryTold.class, told -> Replies.kept(told.reply())));
  }

  @Override
  public boolean owns(RequestId id) {
    return false;
  }

  @Override
  public CompletableFuture<Outcome> outcome(RequestId id) {
    Question question =
        id instanceof RequestId.OfSequence sequence
            ? new Question.OutcomeOfSequence(sequence.address(), sequence.sequence())
            : outcomeOfKey((RequestId.OfKey) id);
    return ask(question, id)
        .thenApply(expect(Answer.OutcomeTold.class, told -> kept(told.outcome())));
  }

  private static Question outcomeOfKey(RequestId.OfKey id) {
    return new Question.OutcomeOfKey(id.scope(), id.key());
  }

  private static Outcome kept(Outcome outcome) {
    return outcome instanceof Outcome.Executed executed
        ? new Outcome.Executed(
            Replies.kept(executed.reply()), executed.position(), executed.timeMillis())
        : outcome;
  }

  @Override
  public CompletableFuture<Abandonment> abandon(RequestId id) {
    Request request =
        id instanceof RequestId.OfSequence sequence
            ? new Request.AbandonSequence(sequence.address(), sequence.sequence())
            : abandonKey((RequestId.OfKey) id);
    return ask(logged(request), id)
        .thenApply(decision())
        .thenCompose(
            decision -> {
              CompletableFuture<Abandonment> abandonment = new CompletableFuture<>();
              Call.completeAbandoner(abandonment, id, decision);
              return abandonment;
            });
  }

  private static Request abandonKey(RequestId.OfKey id) {
    return new Request.AbandonKey(id.scope(), id.key());
  }

  static Throwable cause(Throwable failure) {
    return failure instanceof java.util.concurrent.CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  static Function<Answer, Decision> decision() {
    return expect(Answer.Decided.class, Answer.Decided::decision);
  }

  /** Reads an answer of this kind; any other is a mistake of the node. */
  static <A, T> Function<Answer, T> expect(Class<A> kind, Function<A, T> read) {
    return answer -> {
      if (!kind.isInstance(answer)) {
        throw new OutcomeUnknownException("the node answered something else: " + answer, null);
      }
      return read.apply(kind.cast(answer));
    };
  }
}
