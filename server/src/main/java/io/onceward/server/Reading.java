package io.onceward.server;

import io.onceward.replica.Replica;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;

/** Answers questions from a replica's tables and service; changes nothing. */
final class Reading {
  private static final int MOST_SESSIONS = 10_000;

  private Reading() {}

  static Answer answer(Replica replica, String principal, Question question) {
    if (question instanceof Question.OutcomeOfSequence q) {
      return new Answer.OutcomeTold(replica.outcome(principal, q.address(), q.sequence()));
    } else if (question instanceof Question.OutcomeOfKey q) {
      return new Answer.OutcomeTold(replica.outcome(principal, q.scope(), q.key()));
    } else if (question instanceof Question.SessionNamed q) {
      return new Answer.SessionTold(
          replica.session(principal, q.kind(), q.name()).orElse(null), replica.clusterId().tag());
    } else if (question instanceof Question.Query q) {
      return query(replica, principal, q);
    } else if (question instanceof Question.CountOlderThan q) {
      return new Answer.Counted(replica.countOlderThan(q.beforeMillis()));
    } else if (question instanceof Question.ListSessions q) {
      return sessions(replica, q);
    }
    return new Answer.Rejected("this question is not answered from the tables: " + question);
  }

  private static Answer query(Replica replica, String principal, Question.Query query) {
    try {
      return new Answer.QueryTold(replica.query(principal, query.question()));
    } catch (RuntimeException failed) {
      return new Answer.Rejected("the service failed to answer: " + failed);
    }
  }

  private static Answer sessions(Replica replica, Question.ListSessions question) {
    int most = Math.max(0, Math.min(question.most(), MOST_SESSIONS));
    return new Answer.SessionsTold(replica.sessions(question.afterSession(), most));
  }
}
