package io.onceward.testkit.audit;

import io.onceward.Bytes;
import io.onceward.DamagedException;
import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.testkit.audit.DoorEvents.Arrived;
import io.onceward.testkit.audit.DoorEvents.Gone;
import io.onceward.testkit.audit.DoorEvents.Returned;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a door refuses without the log, the log would refuse as well: for lack of room only when
 * there is none, and never what the log remembers (E1, K6). Only a leader that has applied an entry
 * of its own term may say so (O3).
 */
public final class TheDoorRefusesWithReason extends Invariant {
  /** No session, setting, alias or abandoned key takes more than this. */
  private static final long MOST_WITHOUT_REPLY = 1_024;

  private final Ledger ledger;
  private final Map<Long, Integer> inFlight = new HashMap<>();

  public TheDoorRefusesWithReason(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  protected void arrived(Arrived arrival) {
    inFlight.merge(arrival.door(), 1, Integer::sum);
  }

  @Override
  protected void gone(Gone door) {
    inFlight.remove(door.door());
  }

  @Override
  protected void returned(Returned answer) {
    int others = inFlight.merge(answer.door(), -1, Integer::sum);
    if (!answer.byTheLog()
        && answer.answer() instanceof Answer.Decided told
        && told.decision() instanceof Decision.Refused refused
        && isForLack(refused.refusal())
        && answer.question() instanceof Question.Logged logged) {
      Request request = read(logged.frame());
      check(
          answer.mayRefuse(),
          "refused by who may not know",
          refused,
          " to ",
          request,
          ", ",
          answer);
      boolean tooLarge = refused.refusal() == Refusal.TOO_LARGE;
      boolean noRoom = refused.limit().equals("table bytes");
      if (tooLarge || noRoom) {
        check(!isRemembered(request, answer), "refused what is remembered", refused, request);
      }
      if (tooLarge) {
        check(commandBytes(request) > answer.maxCommandBytes(), "small enough", request, answer);
      }
      if (noRoom) {
        check(
            needed(request, others, answer) > answer.bytesLeft(),
            "there was room",
            refused,
            answer);
      }
    }
  }

  /** What would have had to be left: for its own reply and others', or for itself at most. */
  private static long needed(@Nullable Request request, int others, Returned answer) {
    if (request instanceof Request.InSession || request instanceof Request.Keyed) {
      return (others + 1L) * answer.maxReplyBytes();
    }
    // Abandoning a sequence may take the whole window up to there.
    return request instanceof Request.AbandonSequence
        ? Long.MAX_VALUE
        : answer.maxReplyBytes() + MOST_WITHOUT_REPLY;
  }

  /** Of a session, of a record, of room; what is malformed is so everywhere. */
  private static boolean isForLack(Refusal refusal) {
    return refusal == Refusal.NO_SESSION
        || refusal == Refusal.FORGOTTEN
        || refusal == Refusal.TOO_LARGE
        || refusal == Refusal.OVERLOADED;
  }

  static @Nullable Request read(Bytes frame) {
    try {
      return RequestCodec.decode(frame);
    } catch (DamagedException unreadable) {
      return null;
    }
  }

  /** Whether the door's node has applied this request and still promises its reply. */
  private boolean isRemembered(@Nullable Request request, Returned answer) {
    String principal = ledger.resolve(answer.principal());
    long age = ledger.clock().ageMillis();
    Effect effect = null;
    if (request instanceof Request.InSession ask) {
      SessionFact fact = ledger.sessions().of(ask.address().session());
      if (fact != null
          && fact.principal.equals(principal)
          && fact.promised(age)
          && ask.address().clusterTag() == ledger.clusterId().tag()
          && ask.address().incarnation() == fact.incarnation()) {
        effect = fact.effect(ask.sequence());
      }
    } else if (request instanceof Request.Keyed ask) {
      KeyFact fact = ledger.keys().of(principal, ask.scope().name(), ask.key());
      if (fact != null && fact.promised(age)) {
        effect = fact.effect();
      }
    }
    return effect != null && effect.position() <= answer.appliedPosition();
  }

  private static long commandBytes(@Nullable Request request) {
    if (request instanceof Request.InSession ask) {
      return ask.command().length();
    }
    if (request instanceof Request.Keyed ask) {
      return ask.command().length();
    }
    return request instanceof Request.Unkeyed ask ? ask.command().length() : 0;
  }
}
