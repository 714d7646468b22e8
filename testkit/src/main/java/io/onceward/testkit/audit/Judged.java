package io.onceward.testkit.audit;

import io.onceward.Decision;
import io.onceward.replica.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One copy of a request as the log decided it. It is told once per position and ordinal, as the
 * first node to apply that position saw it; the other nodes are held against that one.
 *
 * @param timeMillis log time as the auditor counts it (T2)
 * @param ageMillis age as the auditor counts it (T3)
 * @param asked the name under which it was asked
 * @param principal who that is, aliases resolved
 * @param request null if the frame could not be read
 * @param wish the number in the command's payload, or 0 if it carries no command
 * @param executions what the service did while this copy was judged
 */
public record Judged(
    long position,
    int ordinal,
    long timeMillis,
    long ageMillis,
    String asked,
    String principal,
    @Nullable Request request,
    long wish,
    Decision decision,
    List<Execution> executions) {

  boolean executed() {
    return !executions.isEmpty();
  }

  /** Whether this copy was the first of its id, by what it was told. */
  boolean repliedFirst() {
    return decision instanceof Decision.Replied replied && !replied.replay();
  }

  @Override
  public String toString() {
    return "at "
        + position
        + "/"
        + ordinal
        + " (age "
        + ageMillis
        + ") "
        + principal
        + " asked "
        + request
        + " [wish "
        + wish
        + "], decided "
        + decision
        + ", executed "
        + executions;
  }
}
