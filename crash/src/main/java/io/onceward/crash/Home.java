package io.onceward.crash;

import static io.onceward.crash.Step.ANSWER_AFTER;
import static io.onceward.crash.Step.ANSWER_HALF_SENT;
import static io.onceward.crash.Step.CALL_ANSWERED;
import static io.onceward.crash.Step.CALL_HALF_SENT;
import static io.onceward.crash.Step.CALL_SENT;
import static io.onceward.crash.Step.CLAIM_AFTER;
import static io.onceward.crash.Step.CLAIM_BEFORE;
import static io.onceward.crash.Step.CLAIM_HALF_SENT;
import static io.onceward.crash.Step.CLAIM_NOT_SENT;
import static io.onceward.crash.Step.CLAIM_SENT;
import static io.onceward.crash.Step.CLAIM_UNHEARD;
import static io.onceward.crash.Step.COMMIT_AFTER;
import static io.onceward.crash.Step.COMMIT_BEFORE;
import static io.onceward.crash.Step.COMMIT_HALF_SENT;
import static io.onceward.crash.Step.COMMIT_SENT;
import static io.onceward.crash.Step.DONE_AFTER;
import static io.onceward.crash.Step.DONE_BEFORE;
import static io.onceward.crash.Step.DONE_HALF_SENT;
import static io.onceward.crash.Step.DONE_NOT_SENT;
import static io.onceward.crash.Step.DONE_SENT;
import static io.onceward.crash.Step.DONE_UNHEARD;
import static io.onceward.crash.Step.PAUSED;
import static io.onceward.crash.Step.SUBMIT_AFTER;
import static io.onceward.crash.Step.SUBMIT_BEFORE;
import static io.onceward.crash.Step.SUBMIT_DURING;
import static io.onceward.crash.Step.SUBMIT_NOT_SENT;
import static io.onceward.crash.Step.SUBMIT_UNHEARD;
import static io.onceward.crash.Step.WORK_BETWEEN;
import static io.onceward.crash.Step.WORK_SENT;

import java.util.List;

/** Where the memory of requests lives, and at which steps a process that uses it is killed. */
public enum Home {
  /** Claim, business SQL and reply in one transaction of PostgreSQL. */
  TRANSACTION(
      "transaction",
      8,
      CLAIM_BEFORE,
      CLAIM_HALF_SENT,
      CLAIM_SENT,
      CLAIM_AFTER,
      WORK_SENT,
      WORK_BETWEEN,
      COMMIT_BEFORE,
      COMMIT_HALF_SENT,
      COMMIT_SENT,
      COMMIT_AFTER,
      ANSWER_HALF_SENT,
      ANSWER_AFTER),

  /** A call to an outside bank, guarded by claims in PostgreSQL. */
  GUARD_ON_JDBC(
      "guard-jdbc",
      8,
      CLAIM_BEFORE,
      CLAIM_HALF_SENT,
      CLAIM_SENT,
      CLAIM_AFTER,
      CALL_HALF_SENT,
      CALL_SENT,
      CALL_ANSWERED,
      DONE_BEFORE,
      DONE_HALF_SENT,
      DONE_SENT,
      DONE_AFTER,
      ANSWER_HALF_SENT,
      ANSWER_AFTER,
      PAUSED),

  /** The same, guarded by claims in a cluster. */
  GUARD_ON_CLUSTER(
      "guard-cluster",
      6,
      CLAIM_BEFORE,
      CLAIM_NOT_SENT,
      CLAIM_UNHEARD,
      CLAIM_AFTER,
      CALL_HALF_SENT,
      CALL_SENT,
      CALL_ANSWERED,
      DONE_BEFORE,
      DONE_NOT_SENT,
      DONE_UNHEARD,
      DONE_AFTER,
      ANSWER_HALF_SENT,
      ANSWER_AFTER,
      PAUSED),

  /** A service in a cluster, asked by a durable name with a journal, or by keys. */
  REPLICATED(
      "replicated",
      6,
      SUBMIT_BEFORE,
      SUBMIT_DURING,
      SUBMIT_NOT_SENT,
      SUBMIT_UNHEARD,
      SUBMIT_AFTER,
      ANSWER_HALF_SENT,
      ANSWER_AFTER);

  private final String text;
  private final int lanes;

  // Made by List.of, so nobody can change it.
  @SuppressWarnings("ImmutableEnumChecker")
  private final List<Step> steps;

  Home(String text, int lanes, Step... steps) {
    this.text = text;
    this.lanes = lanes;
    this.steps = List.of(steps);
  }

  public String text() {
    return text;
  }

  /** How many requests a process works on when it is killed. */
  public int lanes() {
    return lanes;
  }

  public List<Step> steps() {
    return steps;
  }

  boolean needsPostgres() {
    return this == TRANSACTION || this == GUARD_ON_JDBC;
  }

  boolean needsCluster() {
    return this == GUARD_ON_CLUSTER || this == REPLICATED;
  }

  /** Whether the effect is outside, so that a request can become unknown. */
  boolean isGuarded() {
    return this == GUARD_ON_JDBC || this == GUARD_ON_CLUSTER;
  }
}
