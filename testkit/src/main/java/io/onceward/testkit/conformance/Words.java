package io.onceward.testkit.conformance;

import io.onceward.Outcome;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.guard.GuardedAbandonment;
import io.onceward.guard.GuardedOutcome;
import io.onceward.guard.Ruling;

/** What homes answer, in the words of the scripts. */
public final class Words {
  private Words() {}

  /** {@code executed ok paid}, {@code replay error declined}. */
  public static String replied(Reply reply, boolean replay) {
    return (replay ? "replay " : "executed ") + reply(reply);
  }

  /** {@code ok paid}, {@code error declined}, {@code failed}, {@code too large}. */
  public static String reply(Reply reply) {
    return switch (reply.kind()) {
      case OK -> ("ok " + reply.bytes().asText()).strip();
      case BUSINESS_ERROR -> ("error " + reply.bytes().asText()).strip();
      case FAILED -> "failed";
      case REPLY_TOO_LARGE -> "too large";
    };
  }

  public static String refused(Refusal refusal) {
    return "refused " + refusal;
  }

  public static String ruling(Ruling ruling) {
    if (ruling instanceof Ruling.Replied replied) {
      return replied(replied.reply(), replied.replay());
    }
    if (ruling instanceof Ruling.Refused refused) {
      return refused(refused.refusal());
    }
    if (ruling instanceof Ruling.Unknown) {
      return "unknown";
    }
    if (ruling instanceof Ruling.DidNotHappen) {
      return "did not happen";
    }
    return ruling.toString();
  }

  public static String outcome(Outcome outcome) {
    if (outcome instanceof Outcome.Executed executed) {
      return "executed " + reply(executed.reply());
    }
    if (outcome instanceof Outcome.Acknowledged) {
      return "acknowledged";
    }
    if (outcome instanceof Outcome.Abandoned) {
      return "abandoned";
    }
    if (outcome instanceof Outcome.NoRecordSince) {
      return "no record since";
    }
    return outcome instanceof Outcome.NeverSeen ? "never seen" : outcome.toString();
  }

  public static String outcome(GuardedOutcome outcome) {
    if (outcome instanceof GuardedOutcome.Executed executed) {
      return "executed " + reply(executed.reply());
    }
    if (outcome instanceof GuardedOutcome.Acknowledged) {
      return "acknowledged";
    }
    if (outcome instanceof GuardedOutcome.Abandoned) {
      return "abandoned";
    }
    if (outcome instanceof GuardedOutcome.NoRecordSince) {
      return "no record since";
    }
    if (outcome instanceof GuardedOutcome.Unknown) {
      return "unknown";
    }
    if (outcome instanceof GuardedOutcome.DidNotHappen) {
      return "did not happen";
    }
    return outcome instanceof GuardedOutcome.NeverSeen ? "never seen" : outcome.toString();
  }

  /** What an abandon of the guard came to. */
  public static String abandoned(GuardedAbandonment abandonment) {
    if (abandonment instanceof GuardedAbandonment.Executed executed) {
      return "executed " + reply(executed.reply());
    }
    if (abandonment instanceof GuardedAbandonment.Closed closed) {
      return closed(closed.forEver());
    }
    return abandonment instanceof GuardedAbandonment.Undecided undecided
        ? outcome(undecided.now())
        : refused(((GuardedAbandonment.Refused) abandonment).refusal());
  }

  /** After an abandon: the request is closed, for ever or for its retention (O2). */
  public static String closed(boolean forEver) {
    return forEver ? "closed for ever" : "closed until retention";
  }
}
