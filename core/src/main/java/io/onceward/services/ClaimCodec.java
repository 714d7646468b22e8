package io.onceward.services;

import io.onceward.Bytes;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.GuardedAbandonment;
import io.onceward.guard.GuardedId;
import io.onceward.guard.GuardedOutcome;
import io.onceward.guard.UnknownRequest;
import io.onceward.replica.Limits;
import java.time.Instant;

/** The words of the guard as bytes, for commands and replies of the claims service. */
final class ClaimCodec {
  /** UTF-8 takes at most three bytes for what Java counts as one character. */
  static final int WHY_BYTES = 3 * ClaimStore.MAX_WHY_CHARACTERS;

  private static final String LEASE = "lease in ms (CLAIM_LEASE_MILLIS)";

  private ClaimCodec() {}

  static void checkTerms(ClaimTerms terms) {
    ServiceLimits.checkNumber(LEASE, terms.leaseMillis(), 1, ServiceLimits.CLAIM_LEASE_MILLIS);
  }

  static void checkFence(long fence) {
    ServiceLimits.checkNumber("fence", fence, 1, Long.MAX_VALUE);
  }

  /** At the limit, but between characters; what is no Unicode becomes question marks. */
  static String cut(String why) {
    int length = Math.min(why.length(), ClaimStore.MAX_WHY_CHARACTERS);
    if (length < why.length() && Character.isHighSurrogate(why.charAt(length - 1))) {
      length--;
    }
    return Bytes.utf8(why.substring(0, length)).asText();
  }

  static PayloadWriter write(PayloadWriter out, GuardedId id) {
    Key key = id.key();
    return out.utf8(id.principal())
        .utf8(id.scope().name())
        .u8(key.kind().code())
        .i64(key.high())
        .i64(key.low());
  }

  static GuardedId id(PayloadReader in) {
    String principal = in.utf8("principal", 0, GuardedId.MAX_PRINCIPAL_BYTES);
    Scope scope = new Scope(in.utf8("scope", 0, Limits.SCOPE_BYTES));
    int at = in.position();
    int kind = in.u8();
    long high = in.i64();
    long low = in.i64();
    try {
      return new GuardedId(principal, scope, Key.of(Key.Kind.ofCode(kind), high, low));
    } catch (IllegalArgumentException e) {
      throw in.damaged(at, String.valueOf(e.getMessage()));
    }
  }

  static PayloadWriter write(PayloadWriter out, Ask ask) {
    write(out, ask.id());
    Fingerprint fingerprint = ask.fingerprint();
    if (fingerprint == null) {
      out.u8(0);
    } else {
      out.u8(1).i64(fingerprint.bits());
    }
    return out.utf8(ask.operation()).utf8(ask.memo());
  }

  static Ask ask(PayloadReader in) {
    GuardedId id = id(in);
    Fingerprint fingerprint = in.flag("fingerprint") ? new Fingerprint(in.i64()) : null;
    return new Ask(id, fingerprint, operation(in), memo(in));
  }

  private static String operation(PayloadReader in) {
    return in.utf8("operation", 0, Ask.MAX_OPERATION_BYTES);
  }

  private static String memo(PayloadReader in) {
    return in.utf8("memo", 0, Ask.MAX_MEMO_BYTES);
  }

  static PayloadWriter write(PayloadWriter out, ClaimTerms terms) {
    return out.varint(terms.leaseMillis()).varint(terms.retentionMillis());
  }

  static ClaimTerms terms(PayloadReader in) {
    long lease = in.number(LEASE, 1, ServiceLimits.CLAIM_LEASE_MILLIS);
    return new ClaimTerms(lease, in.number("retention", 1, Long.MAX_VALUE));
  }

  static long fence(PayloadReader in) {
    return in.number("fence", 1, Long.MAX_VALUE);
  }

  static String why(PayloadReader in) {
    int at = in.position();
    String why = in.utf8("why", 0, WHY_BYTES);
    if (why.length() > ClaimStore.MAX_WHY_CHARACTERS) {
      throw in.damaged(at, "why is longer than " + ClaimStore.MAX_WHY_CHARACTERS + " characters");
    }
    return why;
  }

  static Reply.Kind kind(PayloadReader in) {
    int at = in.position();
    int code = in.u8();
    try {
      return Reply.Kind.ofCode(code);
    } catch (IllegalArgumentException e) {
      throw in.damaged(at, String.valueOf(e.getMessage()));
    }
  }

  static Refusal refusal(PayloadReader in) {
    int at = in.position();
    int code = in.u8();
    try {
      return Refusal.ofCode(code);
    } catch (IllegalArgumentException e) {
      throw in.damaged(at, String.valueOf(e.getMessage()));
    }
  }

  /** A reply that takes all that follows. */
  static Reply lastReply(PayloadReader in) {
    Reply.Kind kind = kind(in);
    int at = in.position();
    Bytes bytes = in.rest();
    if (bytes.length() > ServiceLimits.CLAIM_REPLY_BYTES) {
      throw in.damaged(
          at,
          "length of reply is "
              + bytes.length()
              + "; allowed are 0 to "
              + ServiceLimits.CLAIM_REPLY_BYTES);
    }
    return new Reply(kind, bytes);
  }

  static PayloadWriter write(PayloadWriter out, GuardedOutcome outcome) {
    if (outcome instanceof GuardedOutcome.Executed o) {
      out.u8(1).i64(o.started().toEpochMilli());
      return out.u8(o.reply().kind().code()).rest(o.reply().bytes());
    } else if (outcome instanceof GuardedOutcome.Acknowledged) {
      return out.u8(2);
    } else if (outcome instanceof GuardedOutcome.Abandoned) {
      return out.u8(3);
    } else if (outcome instanceof GuardedOutcome.Running o) {
      return out.u8(4).varint(o.leaseLeftMillis());
    } else if (outcome instanceof GuardedOutcome.Unknown o) {
      return write(out.u8(5), o.request());
    } else if (outcome instanceof GuardedOutcome.NoRecordSince o) {
      return out.u8(6).i64(o.horizonMicros());
    } else if (outcome instanceof GuardedOutcome.NeverSeen) {
      return out.u8(7);
    } else if (outcome instanceof GuardedOutcome.DidNotHappen) {
      return out.u8(8);
    }
    throw new IllegalArgumentException("no code is for " + outcome);
  }

  static GuardedOutcome outcome(PayloadReader in) {
    int code = in.u8();
    return switch (code) {
      case 1 -> executed(in);
      case 2 -> new GuardedOutcome.Acknowledged();
      case 3 -> new GuardedOutcome.Abandoned();
      case 4 -> new GuardedOutcome.Running(in.number("lease left", 1, Long.MAX_VALUE));
      case 5 -> new GuardedOutcome.Unknown(unknownRequest(in));
      case 6 -> new GuardedOutcome.NoRecordSince(in.i64());
      case 7 -> new GuardedOutcome.NeverSeen();
      case 8 -> new GuardedOutcome.DidNotHappen();
      default -> throw in.unknown("outcome", code, 8);
    };
  }

  private static GuardedOutcome executed(PayloadReader in) {
    Instant started = Instant.ofEpochMilli(in.i64());
    return new GuardedOutcome.Executed(lastReply(in), started);
  }

  static PayloadWriter write(PayloadWriter out, GuardedAbandonment abandonment) {
    if (abandonment instanceof GuardedAbandonment.Executed a) {
      return out.u8(1).u8(a.reply().kind().code()).rest(a.reply().bytes());
    } else if (abandonment instanceof GuardedAbandonment.Closed a) {
      return out.u8(2).u8(a.forEver() ? 1 : 0);
    } else if (abandonment instanceof GuardedAbandonment.Undecided a) {
      return write(out.u8(3), a.now());
    } else if (abandonment instanceof GuardedAbandonment.Refused a) {
      return out.u8(4).u8(a.refusal().code()).utf8(a.limit());
    }
    throw new IllegalArgumentException("no code is for " + abandonment);
  }

  static GuardedAbandonment abandonment(PayloadReader in) {
    int code = in.u8();
    return switch (code) {
      case 1 -> new GuardedAbandonment.Executed(lastReply(in));
      case 2 -> new GuardedAbandonment.Closed(in.flag("for ever"));
      case 3 -> new GuardedAbandonment.Undecided(outcome(in));
      case 4 ->
          new GuardedAbandonment.Refused(
              refusal(in), in.utf8("limit", 0, ServiceLimits.STORE_NAME_BYTES));
      default -> throw in.unknown("abandonment", code, 4);
    };
  }

  static PayloadWriter write(PayloadWriter out, UnknownRequest request) {
    return write(out, request.id())
        .utf8(request.operation())
        .utf8(request.memo())
        .varint(request.fence())
        .i64(request.started().toEpochMilli())
        .varint(request.startedMillisAgo())
        .utf8(request.why());
  }

  static UnknownRequest unknownRequest(PayloadReader in) {
    GuardedId id = id(in);
    String operation = operation(in);
    String memo = memo(in);
    long fence = fence(in);
    Instant started = Instant.ofEpochMilli(in.i64());
    long millisAgo = in.number("time since the start", 0, Long.MAX_VALUE);
    return new UnknownRequest(id, operation, memo, fence, started, millisAgo, why(in));
  }
}
