package io.onceward.services;

import io.onceward.Bytes;
import io.onceward.DamagedException;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.guard.Claimed;
import io.onceward.guard.Evidence;
import io.onceward.guard.GuardedAbandonment;
import io.onceward.guard.GuardedId;
import io.onceward.guard.GuardedOutcome;
import io.onceward.guard.UnknownRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the claims service answers when all is well; a business error is a text. */
public sealed interface ClaimReply {

  /** The request is the caller's. */
  record Started(long fence) implements ClaimReply {}

  /** Another run holds the lease. */
  record Running(long leaseLeftMillis) implements ClaimReply {}

  /** It is done, and this is the reply. */
  record Done(Reply reply) implements ClaimReply {}

  /** Its fate is unknown. */
  record Unknown(UnknownRequest request) implements ClaimReply {}

  /** Turned away. */
  record Refused(Refusal refusal, String limit) implements ClaimReply {}

  /** It is done; the reply is long and has to be asked for, with {@link ClaimCommand.Recall}. */
  record DoneAtLength() implements ClaimReply {}

  /** There is no such request that is done. */
  record NotDone() implements ClaimReply {}

  /** Whether the step was taken. */
  record Taken(boolean taken) implements ClaimReply {}

  /** So many were dropped. */
  record Swept(int dropped) implements ClaimReply {}

  /**
   * Unknown requests, the one that was started first in front.
   *
   * @param last the place of the last one looked at
   * @param more whether others may follow
   */
  record Unknowns(List<UnknownRequest> requests, long last, boolean more) implements ClaimReply {
    public Unknowns {
      requests = List.copyOf(requests);
    }
  }

  /** Completions that were refused, as they arrived. */
  record Late(List<Evidence> evidence) implements ClaimReply {
    public Late {
      evidence = List.copyOf(evidence);
    }
  }

  /**
   * What is known of a request. A long reply is left out, and has to be asked for with {@link
   * ClaimCommand.Recall}.
   *
   * @param known an {@link GuardedOutcome.Executed} without bytes if {@code atLength}
   */
  record Outcome(GuardedOutcome known, boolean atLength) implements ClaimReply {}

  /** What an abandon came to; a long reply is left out likewise. */
  record Abandonment(GuardedAbandonment known, boolean atLength) implements ClaimReply {}

  /** So many there are. */
  record Counted(long count) implements ClaimReply {}

  /** What a store answers to a claim; null if the reply has to be asked for. */
  static @Nullable Claimed claimed(ClaimReply reply) {
    if (reply instanceof Started r) {
      return new Claimed.Started(r.fence());
    } else if (reply instanceof Running r) {
      return new Claimed.Running(r.leaseLeftMillis());
    } else if (reply instanceof Done r) {
      return new Claimed.Done(r.reply());
    } else if (reply instanceof Unknown r) {
      return new Claimed.Unknown(r.request());
    } else if (reply instanceof Refused r) {
      return new Claimed.Refused(r.refusal(), r.limit());
    } else if (reply instanceof DoneAtLength) {
      return null;
    }
    throw new IllegalArgumentException("no answer to a claim: " + reply);
  }

  static Bytes encode(ClaimReply reply) {
    if (reply instanceof Started r) {
      return new PayloadWriter(1, 10).varint(r.fence()).done();
    } else if (reply instanceof Running r) {
      return new PayloadWriter(2, 10).varint(r.leaseLeftMillis()).done();
    } else if (reply instanceof Done r) {
      Bytes bytes = r.reply().bytes();
      return new PayloadWriter(3, bytes.length() + 1)
          .u8(r.reply().kind().code())
          .rest(bytes)
          .done();
    } else if (reply instanceof Unknown r) {
      return ClaimCodec.write(new PayloadWriter(4, 256), r.request()).done();
    } else if (reply instanceof Refused r) {
      return new PayloadWriter(5, 32).u8(r.refusal().code()).utf8(r.limit()).done();
    } else if (reply instanceof DoneAtLength) {
      return new PayloadWriter(6, 0).done();
    } else if (reply instanceof NotDone) {
      return new PayloadWriter(7, 0).done();
    } else if (reply instanceof Taken r) {
      return new PayloadWriter(8, 1).u8(r.taken() ? 1 : 0).done();
    } else if (reply instanceof Swept r) {
      return new PayloadWriter(9, 10).varint(r.dropped()).done();
    } else if (reply instanceof Unknowns r) {
      PayloadWriter out = new PayloadWriter(10, 256 * r.requests().size());
      out.u8(r.more() ? 1 : 0).varint(r.last()).varint(r.requests().size());
      for (UnknownRequest each : r.requests()) {
        ClaimCodec.write(out, each);
      }
      return out.done();
    } else if (reply instanceof Late r) {
      PayloadWriter out = new PayloadWriter(11, 256).varint(r.evidence().size());
      for (Evidence each : r.evidence()) {
        ClaimCodec.write(out, each.id()).varint(each.fence()).u8(each.reply().kind().code());
        out.bytes(each.reply().bytes()).i64(each.arrived().toEpochMilli());
      }
      return out.done();
    }
    if (reply instanceof Outcome r) {
      return ClaimCodec.write(new PayloadWriter(12, 64).u8(r.atLength() ? 1 : 0), r.known()).done();
    }
    if (reply instanceof Abandonment r) {
      return ClaimCodec.write(new PayloadWriter(13, 64).u8(r.atLength() ? 1 : 0), r.known()).done();
    }
    if (reply instanceof Counted r) {
      return new PayloadWriter(14, 10).varint(r.count()).done();
    }
    throw new IllegalArgumentException("no code is for " + reply);
  }

  /**
   * Reads a reply.
   *
   * @throws DamagedException naming the offset and what is wrong there
   */
  static ClaimReply decode(Bytes payload) {
    PayloadReader in = new PayloadReader("claim reply", payload);
    int code = in.u8();
    ClaimReply reply =
        switch (code) {
          case 1 -> new Started(ClaimCodec.fence(in));
          case 2 -> new Running(in.number("lease left", 1, Long.MAX_VALUE));
          case 3 -> new Done(ClaimCodec.lastReply(in));
          case 4 -> new Unknown(ClaimCodec.unknownRequest(in));
          case 5 ->
              new Refused(
                  ClaimCodec.refusal(in), in.utf8("limit", 0, ServiceLimits.STORE_NAME_BYTES));
          case 6 -> new DoneAtLength();
          case 7 -> new NotDone();
          case 8 -> new Taken(in.flag("taken"));
          case 9 -> new Swept((int) in.number("dropped", 0, ServiceLimits.LIST_ENTRIES));
          case 10 -> unknowns(in);
          case 11 -> late(in);
          case 12 -> outcome(in);
          case 13 -> abandonment(in);
          case 14 -> new Counted(in.number("count", 0, ServiceLimits.CLAIMS));
          default -> throw in.unknown("reply", code, 14);
        };
    in.finish();
    return reply;
  }

  private static Abandonment abandonment(PayloadReader in) {
    boolean atLength = in.flag("at length");
    return new Abandonment(ClaimCodec.abandonment(in), atLength);
  }

  private static Outcome outcome(PayloadReader in) {
    boolean atLength = in.flag("at length");
    return new Outcome(ClaimCodec.outcome(in), atLength);
  }

  private static Unknowns unknowns(PayloadReader in) {
    boolean more = in.flag("more");
    long last = in.number("last", 0, Long.MAX_VALUE);
    long count = in.number("count", 0, ServiceLimits.LIST_ENTRIES);
    List<UnknownRequest> requests = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      requests.add(ClaimCodec.unknownRequest(in));
    }
    return new Unknowns(requests, last, more);
  }

  private static Late late(PayloadReader in) {
    long count = in.number("count", 0, ServiceLimits.LIST_ENTRIES);
    List<Evidence> evidence = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      GuardedId id = ClaimCodec.id(in);
      long fence = ClaimCodec.fence(in);
      Reply.Kind kind = ClaimCodec.kind(in);
      Bytes bytes = in.bytes("reply", 0, ServiceLimits.CLAIM_REPLY_BYTES);
      evidence.add(new Evidence(id, fence, new Reply(kind, bytes), Instant.ofEpochMilli(in.i64())));
    }
    return new Late(evidence);
  }
}
