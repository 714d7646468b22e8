package io.onceward.client;

import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.Scope;
import io.onceward.replica.Parameter;
import io.onceward.replica.Replica.SessionView;
import io.onceward.replica.Request;
import io.onceward.wire.Answer;
import io.onceward.wire.Member;
import io.onceward.wire.NodeStatus;
import io.onceward.wire.Question;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What operators ask of a cluster and its nodes. */
public final class Admin {
  /** A node that is well answers at once; nobody waits longer for one that is not. */
  private static final long NODE_MILLIS = 3_000;

  private static final int PAGE = 1_000;

  /**
   * How a node is, or why that is not known.
   *
   * @param problem empty if the status is there
   */
  public record NodeReport(String address, Optional<NodeStatus> status, String problem) {}

  private final Nodes nodes;
  private final Inquiries inquiries;

  Admin(Nodes nodes, Inquiries inquiries) {
    this.nodes = nodes;
    this.inquiries = inquiries;
  }

  // ---- looking --------------------------------------------------------------------------------

  /** How the leader is. */
  public CompletableFuture<NodeStatus> status() {
    return inquiries.ask(new Question.Status(false), null).thenApply(statusTold());
  }

  /** How one node is, told by itself. */
  public CompletableFuture<NodeStatus> status(String address) {
    return status(address, false);
  }

  /**
   * How one node is.
   *
   * @param withDigest whether to digest tables and service too, which stops applying for a while
   *     and may take as long as this client's patience
   */
  public CompletableFuture<NodeStatus> status(String address, boolean withDigest) {
    Question question = new Question.Status(withDigest);
    CompletableFuture<Answer> told =
        withDigest
            ? inquiries.askSlowlyAt(address, question)
            : inquiries.askAt(address, question, NODE_MILLIS);
    return told.thenApply(statusTold());
  }

  /** How all nodes are that this client was told of, and all members that these know. */
  public CompletableFuture<List<NodeReport>> statusOfAll(boolean withDigest) {
    return report(nodes.configured(), withDigest, new LinkedHashMap<>());
  }

  private CompletableFuture<List<NodeReport>> report(
      List<String> addresses, boolean withDigest, Map<String, NodeReport> reports) {
    List<CompletableFuture<NodeReport>> asked = new ArrayList<>();
    for (String address : addresses) {
      asked.add(
          status(address, withDigest).handle((status, failure) -> of(address, status, failure)));
    }
    return CompletableFuture.allOf(asked.toArray(new CompletableFuture<?>[0]))
        .thenCompose(
            done -> {
              asked.forEach(each -> reports.put(each.join().address(), each.join()));
              List<String> others = membersBeside(reports);
              return others.isEmpty()
                  ? CompletableFuture.completedFuture(List.copyOf(reports.values()))
                  : report(others, withDigest, reports);
            });
  }

  private static NodeReport of(
      String address, @Nullable NodeStatus status, @Nullable Throwable failure) {
    String problem = failure == null ? "" : String.valueOf(Inquiries.cause(failure).getMessage());
    return new NodeReport(address, Optional.ofNullable(status), problem);
  }

  private static List<String> membersBeside(Map<String, NodeReport> reports) {
    List<String> known = new ArrayList<>(reports.keySet());
    List<String> others = new ArrayList<>();
    for (NodeReport report : reports.values()) {
      if (report.status().isPresent()) {
        NodeStatus status = report.status().get();
        for (Member member : status.members()) {
          // A node that was asked may call itself by another address than the one it was asked at.
          String address =
              member.id().equals(status.id()) ? report.address() : member.clientAddress();
          if (!known.contains(address) && !isKnown(reports, member.id())) {
            others.add(address);
            known.add(address);
          }
        }
      }
    }
    return others;
  }

  private static boolean isKnown(Map<String, NodeReport> reports, String id) {
    return reports.values().stream()
        .anyMatch(report -> report.status().filter(status -> status.id().equals(id)).isPresent());
  }

  private static java.util.function.Function<Answer, NodeStatus> statusTold() {
    return Inquiries.expect(Answer.StatusTold.class, Answer.StatusTold::status);
  }

  /** All open sessions of all principals, in the order in which they were opened. */
  public CompletableFuture<List<SessionView>> sessions() {
    return sessions(0, new ArrayList<>());
  }

  private CompletableFuture<List<SessionView>> sessions(long after, List<SessionView> all) {
    return sessions(after, PAGE)
        .thenCompose(
            page -> {
              all.addAll(page);
              return page.size() < PAGE
                  ? CompletableFuture.completedFuture(List.copyOf(all))
                  : sessions(page.get(page.size() - 1).session(), all);
            });
  }

  /** One page of them: those with a greater number than {@code after}, 0 for the first page. */
  public CompletableFuture<List<SessionView>> sessions(long after, int most) {
    return inquiries
        .ask(new Question.ListSessions(after, most), null)
        .thenApply(Inquiries.expect(Answer.SessionsTold.class, Answer.SessionsTold::sessions));
  }

  /** How many keys {@link #forget} would drop. */
  public CompletableFuture<Long> countOlderThan(Instant before) {
    return count(new Question.CountOlderThan(before.toEpochMilli()));
  }

  /** How many keys {@link #forgetByAge} would drop. */
  public CompletableFuture<Long> countByAge(Duration beforeAge) {
    return count(new Question.CountByAge(beforeAge.toMillis()));
  }

  private CompletableFuture<Long> count(Question question) {
    return inquiries
        .ask(question, null)
        .thenApply(Inquiries.expect(Answer.Counted.class, Answer.Counted::records));
  }

  // ---- changing -------------------------------------------------------------------------------

  /**
   * What {@link #forget} or {@link #forgetByAge} did. All that arrived before the bound is
   * forgotten now, either way.
   *
   * @param records how many the answering copy dropped
   * @param perhapsMore whether an earlier copy, whose answer was lost, may have dropped others
   */
  public record Forgotten(long records, boolean perhapsMore) {}

  /**
   * Drops all keys that arrived before this log time (K4). After a leader's clock was far ahead,
   * log time stands still until the clocks have caught up, and what arrives meanwhile is out of
   * reach: {@link #forgetByAge} reaches it.
   */
  public CompletableFuture<Forgotten> forget(Instant before) {
    return forget(new Request.Forget(before.toEpochMilli()));
  }

  /**
   * Drops all keys that arrived before the cluster had this age (K4). Age, which all expiry goes
   * by, counts how long the cluster has been at work (T3). To drop what arrived more than 30 days
   * of work ago, subtract these from {@link NodeStatus#ageMillis} of {@link #status}.
   */
  public CompletableFuture<Forgotten> forgetByAge(Duration beforeAge) {
    return forget(new Request.ForgetByAge(beforeAge.toMillis()));
  }

  private CompletableFuture<Forgotten> forget(Request bound) {
    return inquiries
        .askRepeatable(Inquiries.logged(bound))
        .thenApply(
            heard ->
                new Forgotten(
                    accepted(heard) instanceof Decision.Forgot forgot ? forgot.records() : 0L,
                    heard.repeated()));
  }

  /**
   * Closes somebody's session, as it was seen; what its client still sends is refused (S4). It
   * completes once the session is gone, also if an earlier copy of this request closed it, or it
   * expired meanwhile. If another process has taken its name over, it fails as {@code SUPERSEDED}.
   */
  public CompletableFuture<Void> closeSession(SessionView session) {
    return status()
        .thenCompose(
            status ->
                decide(
                    new Request.Close(
                        new Request.Address(
                            status.clusterId().tag(), session.session(), session.incarnation())),
                    true))
        .handle(
            (decision, failure) -> {
              if (failure != null && !isGone(Inquiries.cause(failure))) {
                throw new CompletionException(Inquiries.cause(failure));
              }
              return null;
            });
  }

  /** Incarnations are never reused (S8): a session that is not there any more will never be. */
  private static boolean isGone(Throwable failure) {
    return failure instanceof RefusedException refused && refused.refusal() == Refusal.NO_SESSION;
  }

  /** Sets a parameter of the cluster, through the log (T1). */
  public CompletableFuture<Void> set(Parameter parameter, long value) {
    return decide(new Request.SetParameter(parameter, value), false).thenAccept(done -> {});
  }

  /**
   * Sets how long keys of a scope are remembered, and whether they must be dated (K3, K5). A
   * retention of nothing, not dated only, removes what was set.
   */
  public CompletableFuture<Void> setScope(Scope scope, Duration retention, boolean datedOnly) {
    return decide(new Request.SetScope(scope, retention.toMillis(), datedOnly), false)
        .thenAccept(done -> {});
  }

  /**
   * Removes what was set for a scope, and with it the charge for it: its new keys are remembered
   * like those of scopes for which nothing is set. What arrived before keeps its retention (K3).
   */
  public CompletableFuture<Void> removeScope(Scope scope) {
    return setScope(scope, Duration.ZERO, false);
  }

  /** From now on {@code name} is the same principal as {@code principal} (L3). */
  public CompletableFuture<Void> alias(String name, String principal) {
    return decide(new Request.Alias(name, principal), false).thenAccept(done -> {});
  }

  /**
   * Puts a service in force that was added to a running cluster. Every member must host it before:
   * one that does not stops when it meets this in the log (T1). So all are asked first; if one
   * lacks it or cannot be asked, this fails with {@link RejectedException} and does nothing.
   */
  public CompletableFuture<Void> enableService(String name) {
    return status()
        .thenCompose(leader -> statusOfAll(false))
        .thenCompose(
            reports -> {
              List<String> obstacles = obstaclesToEnabling(name, reports);
              if (obstacles.isEmpty()) {
                return enableServiceUnchecked(name);
              }
              throw new RejectedException(
                  name + " is not enabled: " + String.join("; ", obstacles), null);
            });
  }

  private static List<String> obstaclesToEnabling(String name, List<NodeReport> reports) {
    List<String> obstacles = new ArrayList<>();
    for (NodeReport report : reports) {
      if (report.status().isEmpty()) {
        obstacles.add(report.address() + " cannot be asked");
      } else if (!report.status().get().services().contains(name)) {
        obstacles.add(report.status().get().id() + " does not host it");
      }
    }
    return obstacles;
  }

  /**
   * As {@link #enableService}, but nobody is asked before: members that do not host it will stop.
   */
  public CompletableFuture<Void> enableServiceUnchecked(String name) {
    return decide(new Request.EnableService(name), true).thenAccept(done -> {});
  }

  private CompletableFuture<Decision> decide(Request request, boolean repeatable) {
    Question question = Inquiries.logged(request);
    CompletableFuture<Inquiries.Repeatable> heard =
        repeatable
            ? inquiries.askRepeatable(question)
            : inquiries
                .askOnce(question)
                .thenApply(answer -> new Inquiries.Repeatable(answer, false));
    return heard.thenApply(Admin::accepted);
  }

  private static Decision accepted(Inquiries.Repeatable heard) {
    Decision decision = Inquiries.decision().apply(heard.answer());
    if (decision instanceof Decision.Rejected rejected) {
      throw heard.repeated()
          ? RejectedException.ofLaterCopy(rejected.reason(), null)
          : new RejectedException(rejected.reason(), null);
    }
    if (decision instanceof Decision.Refused refused) {
      throw new RefusedException(refused, null);
    }
    return decision;
  }

  /** Takes a snapshot on this node now. */
  public CompletableFuture<String> snapshot(String address) {
    return inquiries.askForStepAt(address, new Question.TakeSnapshot()).thenApply(obeyed());
  }

  /**
   * Makes another member the leader; an empty id lets the cluster choose. This and the changes of
   * members below fail with {@link OutcomeUnknownException} if they may still happen (O3).
   */
  public CompletableFuture<String> transferLeader(String member) {
    return inquiries.askForStep(new Question.TransferLeadership(member)).thenApply(obeyed());
  }

  /**
   * Adds a member, which must be running with an empty data folder and wait to be added. That just
   * this member is one already is a success too, unless it lost what it had and waits to be added:
   * then it has to be removed first.
   */
  public CompletableFuture<String> addMember(Member member) {
    return inquiries.askForStep(new Question.AddMember(member)).thenApply(obeyed());
  }

  /** Removes a member; that it is none already is a success too. */
  public CompletableFuture<String> removeMember(String id) {
    return inquiries.askForStep(new Question.RemoveMember(id)).thenApply(obeyed());
  }

  private static java.util.function.Function<Answer, String> obeyed() {
    return Inquiries.expect(Answer.Obeyed.class, Answer.Obeyed::what);
  }
}
