package io.onceward.testkit.audit;

import io.onceward.Decision;
import io.onceward.client.session.SessionActions.End;
import io.onceward.testkit.audit.ClientEvents.KeyTells;
import io.onceward.testkit.audit.ClientEvents.Over;
import io.onceward.testkit.audit.ClientEvents.Recovered;
import io.onceward.testkit.audit.ClientEvents.Tells;
import io.onceward.testkit.audit.DoorEvents.Returned;
import io.onceward.testkit.audit.Events.Compared;
import io.onceward.testkit.audit.Events.Digested;
import io.onceward.testkit.audit.Events.Told;
import io.onceward.wire.Answer;
import java.util.Map;
import java.util.TreeMap;

/**
 * How often each kind of event was seen. It promises nothing; it shows whether a run comes to the
 * places where promises can break.
 */
public final class Tally extends Invariant {
  private final Map<String, Long> counts = new TreeMap<>();

  @Override
  protected void judged(Judged copy) {
    String what = copy.request() == null ? "Unreadable" : copy.request().getClass().getSimpleName();
    count(what + " " + told(copy.decision()));
  }

  private static String told(Decision decision) {
    if (decision instanceof Decision.Refused refused) {
      return refused.limit().isEmpty()
          ? refused.refusal().name()
          : refused.refusal() + " " + refused.limit();
    }
    if (decision instanceof Decision.Replied replied) {
      return (replied.replay() ? "replay " : "reply ") + replied.reply().kind();
    }
    return decision.getClass().getSimpleName();
  }

  /** What the door turns away is not judged. */
  @Override
  protected void returned(Returned answer) {
    if (!answer.byTheLog()) {
      count(
          answer.answer() instanceof Answer.Decided decided
              ? "Door " + told(decided.decision())
              : "Door " + answer.answer().getClass().getSimpleName());
    }
  }

  @Override
  protected void tells(Tells tells) {
    count("Library tells " + told(tells.decision()));
  }

  @Override
  protected void keyTells(KeyTells tells) {
    count("Library tells " + told(tells.decision()));
  }

  @Override
  protected void over(Over over) {
    String end = over.end().getClass().getSimpleName();
    count(
        over.end() instanceof End.Lost lost
            ? "Library ends " + end + " " + lost.refused().refusal()
            : "Library ends " + end);
  }

  @Override
  protected void recovered(Recovered recovered) {
    for (Recovered.Entry entry : recovered.entries()) {
      count(entry.undecided() ? "Library hands back undecided" : "Library hands back the rest");
    }
  }

  @Override
  protected void told(Told told) {
    count("Outcome " + told.outcome().getClass().getSimpleName());
  }

  @Override
  protected void digested(Digested digest) {
    count("Digest " + digest.way());
  }

  @Override
  protected void compared(Compared node) {
    count(node.difference() == null ? "Node is the same" : "Node differs");
  }

  private void count(String what) {
    counts.merge(what, 1L, Long::sum);
  }

  /** The counts by kind of event, in the order of their names. */
  public Map<String, Long> counts() {
    return counts;
  }
}
