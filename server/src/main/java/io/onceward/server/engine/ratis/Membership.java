package io.onceward.server.engine.ratis;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.onceward.server.engine.Declined;
import io.onceward.server.engine.Machine;
import io.onceward.wire.Member;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.protocol.exceptions.ReconfigurationInProgressException;
import org.apache.ratis.protocol.exceptions.ReconfigurationTimeoutException;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;

/**
 * Changes who leads and who takes part. Only the leader can; everyone else says who that is. What
 * is declined before Ratis gets it never happens ({@link Declined}); of what Ratis got and failed,
 * nobody knows (O3).
 */
final class Membership {
  private static final long TRANSFER_MILLIS = 5_000;
  private static final long LOOK_MILLIS = 10;
  private static final long SEND_AGAIN_MILLIS = 1_000;
  private static final long CHANGE_SECONDS = 60;

  private final Member self;
  private final RaftServer server;
  private final RaftServer.Division division;
  private final ReadBarriers barriers;
  private final ClientId client;
  private final AtomicLong calls;
  private final Machine machine;

  Membership(
      Member self,
      RaftServer server,
      RaftServer.Division division,
      ReadBarriers barriers,
      ClientId client,
      AtomicLong calls,
      Machine machine) {
    this.self = self;
    this.server = server;
    this.division = division;
    this.barriers = barriers;
    this.client = client;
    this.calls = calls;
    this.machine = machine;
  }

  List<Member> members() {
    return Peers.members(division.getRaftConf().getCurrentPeers());
  }

  /** The member that this node takes for the leader; null if it knows none, or not where it is. */
  @Nullable Member leader() {
    RaftPeerId leader = division.getInfo().getLeaderId();
    RaftPeer peer = leader == null ? null : division.getRaftConf().getPeer(leader);
    return peer == null ? null : Peers.member(peer);
  }

  CompletableFuture<Void> transfer(String id) {
    return asLeader(
        () -> {
          RaftPeerId successor = id.isEmpty() ? mostCaughtUp() : known(id).getId();
          if (successor.equals(Peers.id(self))) {
            return CompletableFuture.completedFuture(null);
          }
          long last = division.getRaftLog().getLastEntryTermIndex().getIndex();
          return caughtUp(successor, last, TRANSFER_MILLIS)
              .thenCompose(ready -> handOver(successor));
        });
  }

  private CompletableFuture<Void> handOver(RaftPeerId successor) {
    return asLeader(
        () ->
            outcome(
                server.transferLeadershipAsync(
                    new TransferLeadershipRequest(
                        client,
                        Peers.id(self),
                        Peers.GROUP,
                        calls.incrementAndGet(),
                        successor,
                        TRANSFER_MILLIS)),
                problem -> unknown(notTransferred(successor) + " It may still be", problem)));
  }

  /**
   * Waits until the successor is known to have all entries. Ratis would wait for that too, but
   * refuse every write meanwhile, also the one whose answer would tell it: a member that came back
   * a moment ago is then waited for in vain.
   */
  private CompletableFuture<Void> caughtUp(RaftPeerId successor, long last, long patienceMillis) {
    for (PeerAppender appender : barriers.appenders()) {
      if (appender.getFollowerId().equals(successor)) {
        if (appender.getFollower().getMatchIndex() >= last) {
          return CompletableFuture.completedFuture(null);
        }
        if (patienceMillis % SEND_AGAIN_MILLIS == 0 && patienceMillis < TRANSFER_MILLIS) {
          appender.sendAgain();
        }
      }
    }
    if (patienceMillis <= 0) {
      return CompletableFuture.failedFuture(new Declined(notTransferred(successor)));
    }
    return later().thenCompose(later -> caughtUp(successor, last, patienceMillis - LOOK_MILLIS));
  }

  private static String notTransferred(RaftPeerId successor) {
    return "leadership was not transferred to "
        + successor
        + " within "
        + TRANSFER_MILLIS
        + " ms: is it running, and has it caught up?";
  }

  CompletableFuture<Void> add(Member member) {
    return ifNew(
        member,
        () -> stillThere(member),
        () -> whenDecidable(member).thenCompose(decidable -> admit(member)));
  }

  /** Asks the node in first: what it holds must not be taken for this cluster's. */
  private CompletableFuture<Void> admit(Member member) {
    return asLeader(
        () -> {
          String cluster = machine.cluster();
          require(!cluster.isEmpty(), "the cluster has no id yet; try again when it is formed");
          return AdmissionCall.ask(member, cluster)
              .handle(
                  (reason, silent) -> {
                    require(silent == null, unanswered(member));
                    require(reason.isEmpty(), member.id() + " was not added: " + reason);
                    return true;
                  })
              .thenCompose(admitted -> whenDecidable(member))
              .thenCompose(
                  decidable ->
                      ifNew(
                          member,
                          Membership::nothing,
                          () -> change(peers -> with(peers, member), unanswered(member))));
        });
  }

  /**
   * A member that lost its folder was started to join: it may have voted, or confirmed entries,
   * that it knows nothing of, so it must not come back as the member that it was.
   */
  private static CompletableFuture<Void> stillThere(Member member) {
    return AdmissionCall.waits(member)
        .thenAccept(
            waits ->
                require(
                    !waits,
                    member.id()
                        + " is a member already, but waits to be added and holds nothing of what"
                        + " it had: remove it first, then add it"));
  }

  private static CompletableFuture<Void> nothing() {
    return CompletableFuture.completedFuture(null);
  }

  private CompletableFuture<Void> whenDecidable(Member added) {
    return whenDecidable(() -> with(current(), added), added.id() + " was not added");
  }

  private static List<RaftPeer> with(List<RaftPeer> peers, Member member) {
    List<RaftPeer> more = new ArrayList<>(peers);
    more.add(Peers.peer(member));
    return more;
  }

  private CompletableFuture<Void> ifNew(Member member, Action otherwise, Action action) {
    return asLeader(
        () -> {
          RaftConfiguration latest = division.getRaftConf();
          List<Member> members = Peers.members(latest.getCurrentPeers());
          if (members.contains(member)) {
            requireCommitted(latest);
            return otherwise.start();
          }
          for (Member present : members) {
            require(
                !present.id().equals(member.id()),
                member.id() + " is a member already, at another address; remove it first");
            require(
                !present.peerAddress().equals(member.peerAddress()),
                present.id() + " has the peer address " + member.peerAddress() + " already");
          }
          return action.start();
        });
  }

  private static String unanswered(Member member) {
    return member.id()
        + " was not added: it did not answer at "
        + member.peerAddress()
        + ". It has to be running, with an empty folder, and waiting to join";
  }

  CompletableFuture<Void> remove(String id) {
    String otherwise = id + " was not removed";
    return ifPresent(
        id,
        () ->
            whenDecidable(() -> without(current(), id), otherwise)
                .thenCompose(
                    decidable ->
                        ifPresent(id, () -> change(peers -> without(peers, id), otherwise))));
  }

  private CompletableFuture<Void> ifPresent(String id, Action action) {
    return asLeader(
        () -> {
          RaftConfiguration latest = division.getRaftConf();
          if (latest.getPeer(RaftPeerId.valueOf(id)) == null) {
            requireCommitted(latest);
            return nothing();
          }
          require(
              !id.equals(self.id()), id + " leads: transfer the leadership first, then remove it");
          return action.start();
        });
  }

  private static List<RaftPeer> without(List<RaftPeer> peers, String id) {
    List<RaftPeer> fewer = new ArrayList<>(peers);
    fewer.removeIf(peer -> peer.getId().equals(RaftPeerId.valueOf(id)));
    return fewer;
  }

  /** Ratis goes by a change as soon as it is logged; the next leader may not have it (O3). */
  private void requireCommitted(RaftConfiguration latest) {
    if (latest.getLogEntryIndex() > division.getRaftLog().getLastCommittedIndex()) {
      throw new IllegalStateException("a change of members is under way, perhaps this one");
    }
  }

  /**
   * Completes if a majority of the members answers, and one of those that there would be. A leader
   * goes by a change as soon as it has logged it: if those that it needs from then on are away, it
   * is never committed, the leader resigns, and nobody can follow it.
   */
  private CompletableFuture<Void> whenDecidable(Supplier<List<RaftPeer>> next, String otherwise) {
    return whenDecidable(next, otherwise, division.properties().maxRpcTimeoutMs());
  }

  /** A leader that was just elected may not have heard of everyone who is there. */
  private CompletableFuture<Void> whenDecidable(
      Supplier<List<RaftPeer>> next, String otherwise, long patienceMillis) {
    String ofThose = obstacle(next.get());
    String obstacle = ofThose.isEmpty() ? obstacle(current()) : ofThose;
    if (obstacle.isEmpty()) {
      return nothing();
    }
    if (patienceMillis <= 0) {
      return CompletableFuture.failedFuture(new Declined(otherwise + obstacle));
    }
    return later()
        .thenCompose(later -> whenDecidable(next, otherwise, patienceMillis - LOOK_MILLIS));
  }

  /**
   * Why these could decide nothing; empty if they can. Who joins must answer to be added at all.
   */
  private String obstacle(List<RaftPeer> members) {
    List<String> silent = new ArrayList<>();
    for (RaftPeer member : members) {
      boolean joins = division.getRaftConf().getPeer(member.getId()) == null;
      if (!joins && !member.getId().equals(Peers.id(self)) && !answers(member.getId())) {
        silent.add(member.getId().toString());
      }
    }
    boolean majority = members.size() - silent.size() > members.size() / 2;
    return majority
        ? ""
        : ": of "
            + String.join(", ", members.stream().map(peer -> peer.getId().toString()).toList())
            + " a majority has to answer, and "
            + String.join(", ", silent)
            + (silent.size() == 1 ? " does not" : " do not")
            + ". Start what does not answer, or remove it first";
  }

  private boolean answers(RaftPeerId member) {
    for (PeerAppender appender : barriers.appenders()) {
      if (appender.getFollowerId().equals(member)) {
        return answersLately(appender);
      }
    }
    return false;
  }

  private boolean answersLately(PeerAppender appender) {
    return appender.getFollower().getLastRpcResponseTime().elapsedTimeMs()
        <= division.properties().maxRpcTimeoutMs();
  }

  private static CompletableFuture<Void> later() {
    return CompletableFuture.runAsync(
        () -> {}, CompletableFuture.delayedExecutor(LOOK_MILLIS, MILLISECONDS));
  }

  /**
   * Makes other members of the present ones. These are looked up once: Ratis compares them, and if
   * they were not those that were changed, it would undo what others have changed meanwhile.
   */
  private CompletableFuture<Void> change(UnaryOperator<List<RaftPeer>> changed, String otherwise)
      throws IOException {
    List<RaftPeer> peers = current();
    return outcome(
        server.setConfigurationAsync(
            new SetConfigurationRequest(
                client,
                Peers.id(self),
                Peers.GROUP,
                calls.incrementAndGet(),
                SetConfigurationRequest.Arguments.newBuilder()
                    .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                    .setServersInCurrentConf(peers)
                    .setServersInNewConf(changed.apply(peers))
                    .build())),
        problem -> {
          // Ratis logs a change only once the new member has caught up; this one had not.
          if (problem instanceof ReconfigurationTimeoutException) {
            return new Declined(otherwise);
          }
          if (problem instanceof ReconfigurationInProgressException) {
            return new Declined(
                "another change of members is under way; try again when it is done");
          }
          // While a new member still catches up, Ratis does not refuse a second change but fails.
          if (problem instanceof IllegalStateException) {
            return unknown("another change of members is under way, perhaps this one", problem);
          }
          return unknown("changing the members failed: " + Failure.reason(problem), problem);
        });
  }

  private List<RaftPeer> current() {
    return new ArrayList<>(division.getRaftConf().getCurrentPeers());
  }

  private RaftPeer known(String id) {
    RaftPeer peer = division.getRaftConf().getPeer(RaftPeerId.valueOf(id));
    require(peer != null, "there is no member " + id + "; the members are " + names());
    return peer;
  }

  private String names() {
    return String.join(", ", members().stream().map(Member::id).toList());
  }

  /** Of the followers that answered lately, the one with the most entries. */
  private RaftPeerId mostCaughtUp() {
    PeerAppender best = null;
    for (PeerAppender appender : barriers.appenders()) {
      boolean member = division.getRaftConf().getPeer(appender.getFollowerId()) != null;
      if (member
          && answersLately(appender)
          && (best == null
              || appender.getFollower().getMatchIndex() > best.getFollower().getMatchIndex())) {
        best = appender;
      }
    }
    if (best == null) {
      throw new Declined("no other member answers");
    }
    return best.getFollowerId();
  }

  private CompletableFuture<Void> asLeader(Action action) {
    try {
      require(division.getInfo().isLeaderReady(), notLeading());
      return action.start();
    } catch (Exception refused) {
      return CompletableFuture.failedFuture(
          refused instanceof IllegalStateException
              ? refused
              : new IllegalStateException(Failure.reason(refused), refused));
    }
  }

  private String notLeading() {
    Member leader = leader();
    return leader == null || leader.id().equals(self.id())
        ? self.id()
            + " does not lead, and knows of no leader: is a majority of the members running?"
        : self.id() + " does not lead; " + leader.id() + " at " + leader.clientAddress() + " does";
  }

  private CompletableFuture<Void> outcome(
      CompletableFuture<RaftClientReply> reply, Function<Throwable, RuntimeException> failure) {
    return reply
        .orTimeout(CHANGE_SECONDS, TimeUnit.SECONDS)
        .handle(
            (answer, failed) -> {
              Throwable problem =
                  failed != null
                      ? cause(failed)
                      : answer.isSuccess() ? null : answer.getException();
              if (problem == null) {
                return null;
              }
              if (problem instanceof NotLeaderException) {
                throw unknown(
                    self.id() + " lost the leadership meanwhile; ask the new leader how it ended",
                    problem);
              }
              if (problem instanceof TimeoutException) {
                throw unknown(
                    "no majority agreed within " + CHANGE_SECONDS + " s; it may still happen",
                    problem);
              }
              throw failure.apply(problem);
            });
  }

  private static IllegalStateException unknown(String what, Throwable problem) {
    return new IllegalStateException(what, problem);
  }

  private static Throwable cause(Throwable problem) {
    Throwable cause = problem;
    while (cause.getCause() != null
        && (cause instanceof CompletionException || cause instanceof ExecutionException)) {
      cause = cause.getCause();
    }
    return cause;
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new Declined(otherwise);
    }
  }

  private interface Action {
    CompletableFuture<Void> start() throws Exception;
  }
}
