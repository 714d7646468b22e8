package io.onceward.server;

import io.onceward.wire.Answer;
import io.onceward.wire.Question;

/** Answers questions from a replica's tables and service; changes nothing. */
final class Reading {
  private static final int MOST_SESSIONS = 10_000;

  private Reading() {}

  static Answer answer(Tables tables, String principal, Question question) {
    if (question instanceof Question.OutcomeOfSequence q) {
      return new Answer.OutcomeTold(tables.outcome(principal, q.address(), q.sequence()));
    } else if (question instanceof Question.OutcomeOfKey q) {
      return new Answer.OutcomeTold(tables.outcome(principal, q.scope(), q.key()));
    } else if (question instanceof Question.SessionNamed q) {
      return new Answer.SessionTold(
          tables.session(principal, q.kind(), q.name()).orElse(null), tables.clusterId().tag());
    } else if (question instanceof Question.Query q) {
      return query(tables, principal, q);
    } else if (question instanceof Question.CountOlderThan q) {
      return new Answer.Counted(tables.countOlderThan(q.beforeMillis()));
    } else if (question instanceof Question.CountByAge q) {
      return new Answer.Counted(tables.countByAge(q.beforeAgeMillis()));
    } else if (question instanceof Question.ListSessions q) {
      return sessions(tables, q);
    }
    return new Answer.Rejected("this question is not answered from the tables: " + question);
  }

  private static Answer query(Tables tables, String principal, Question.Query query) {
    try {
      return new Answer.QueryTold(tables.query(principal, query.question()));
    } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError failed) {
      // A query changes nothing, so whatever goes wrong in it harms its asker alone.
      return new Answer.Rejected("the service failed to answer: " + failed);
    }
  }

  private static Answer sessions(Tables tables, Question.ListSessions question) {
    if (question.most() < 1) {
      return new Answer.Rejected(
          "a page of sessions has 1 session or more, not " + question.most());
    }
    int most = Math.min(question.most(), MOST_SESSIONS);
    return new Answer.SessionsTold(tables.sessions(question.afterSession(), most));
  }
}
