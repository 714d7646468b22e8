package io.onceward.client;

import io.onceward.Bytes;
import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Service;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import io.onceward.services.ServiceDirectory;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A log that all {@link FakeNode}s of a test share: a real replica that applies at once. */
final class FakeLog {
  static final String PRINCIPAL = "anonymous";

  private final Replica replica;
  private long position;
  private long timeMillis = System.currentTimeMillis();

  FakeLog() {
    this(ServiceDirectory.shipped());
  }

  FakeLog(Service service) {
    this(service, new ClusterId(0xfeed, 1));
  }

  FakeLog(ClusterId id) {
    this(ServiceDirectory.shipped(), id);
  }

  private FakeLog(Service service, ClusterId id) {
    replica = new Replica(service);
    decide(new Request.FormCluster(id));
    service.offers().forEach(name -> decide(new Request.EnableService(name)));
  }

  synchronized List<Decision> decide(Request... requests) {
    List<LogEntry.Proposal> proposals = new ArrayList<>();
    for (Request request : requests) {
      proposals.add(new LogEntry.Proposal(PRINCIPAL, request));
    }
    return apply(proposals);
  }

  synchronized List<Decision> apply(List<LogEntry.Proposal> proposals) {
    List<Decision> decisions = new ArrayList<>(proposals.size());
    byte[] entry = new LogEntry(replica.clusterId().tag(), timeMillis, proposals).encode();
    replica.apply(++position, 1, entry, (ordinal, decision) -> decisions.add(decision));
    return decisions;
  }

  synchronized void look(Consumer<Replica> eye) {
    eye.accept(replica);
  }

  synchronized int sessions() {
    return replica.sessions().size();
  }

  synchronized long keys() {
    return replica.keyCount();
  }

  synchronized long ageMillis() {
    return replica.ageMillis();
  }

  synchronized long tag() {
    return replica.clusterId().tag();
  }

  /** Lets log time pass, in entries that are close enough for age to grow as much. */
  synchronized void pass(long millis) {
    for (long left = millis; left > 0; left -= 20_000) {
      timeMillis += Math.min(left, 20_000);
      decide(new Request.Tick());
    }
  }

  /** Answers what needs no log entry. */
  synchronized Answer read(Question question) {
    if (question instanceof Question.OutcomeOfSequence q) {
      return new Answer.OutcomeTold(replica.outcome(PRINCIPAL, q.address(), q.sequence()));
    }
    if (question instanceof Question.OutcomeOfKey q) {
      return new Answer.OutcomeTold(replica.outcome(PRINCIPAL, q.scope(), q.key()));
    }
    if (question instanceof Question.SessionNamed q) {
      return new Answer.SessionTold(
          replica.session(PRINCIPAL, q.kind(), q.name()).orElse(null), tag());
    }
    if (question instanceof Question.Query q) {
      return new Answer.QueryTold(replica.query(PRINCIPAL, q.question()));
    }
    if (question instanceof Question.CountOlderThan q) {
      return new Answer.Counted(replica.countOlderThan(q.beforeMillis()));
    }
    if (question instanceof Question.CountByAge q) {
      return new Answer.Counted(replica.countByAge(q.beforeAgeMillis()));
    }
    if (question instanceof Question.ListSessions q) {
      return new Answer.SessionsTold(
          replica.sessions().stream()
              .filter(session -> session.session() > q.afterSession())
              .limit(q.most())
              .toList());
    }
    return new Answer.Rejected("not here: " + question);
  }

  static LogEntry.Proposal proposal(Bytes frame) {
    return new LogEntry.Proposal(PRINCIPAL, frame);
  }
}
