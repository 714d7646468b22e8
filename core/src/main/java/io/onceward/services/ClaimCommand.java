package io.onceward.services;

import io.onceward.Bytes;
import io.onceward.DamagedException;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.GuardedId;
import io.onceward.replica.Limits;

/**
 * What the claims service is asked: the steps of a {@link ClaimStore}, each about the store of a
 * name. {@link Unknowns}, {@link Late}, {@link Recall}, {@link Outcome}, {@link CountOlder} and
 * {@link CountByAge} may be sent as queries.
 */
public sealed interface ClaimCommand {
  /** The greatest code of a command. */
  int LAST_CODE = 17;

  /** The name of the store, which belongs to the principal that asks. */
  String store();

  /** {@link ClaimStore#claim}. Answered by what {@link ClaimReply#claimed} reads. */
  record Claim(String store, Ask ask, ClaimTerms terms) implements ClaimCommand {
    public Claim {
      ServiceLimits.checkStoreName(store);
      ClaimCodec.checkTerms(terms);
    }
  }

  /** {@link ClaimStore#rerun}. Answered as a claim. */
  record Rerun(String store, Ask ask, long fence, ClaimTerms terms) implements ClaimCommand {
    public Rerun {
      ServiceLimits.checkStoreName(store);
      ClaimCodec.checkFence(fence);
      ClaimCodec.checkTerms(terms);
    }
  }

  /** {@link ClaimStore#done}. Answered by {@link ClaimReply.Taken}. */
  record Done(String store, GuardedId id, long fence, Reply reply) implements ClaimCommand {
    public Done {
      ServiceLimits.checkStoreName(store);
      ClaimCodec.checkFence(fence);
      ServiceLimits.checkNumber(
          "length of reply", reply.bytes().length(), 0, ServiceLimits.CLAIM_REPLY_BYTES);
    }
  }

  /** {@link ClaimStore#unknown}. Answered by {@link ClaimReply.Taken}. */
  record Unknown(String store, GuardedId id, long fence, String why) implements ClaimCommand {
    public Unknown {
      ServiceLimits.checkStoreName(store);
      ClaimCodec.checkFence(fence);
      why = ClaimCodec.cut(why);
    }
  }

  /** {@link ClaimStore#release}. Answered by {@link ClaimReply.Taken}. */
  record Release(String store, GuardedId id, long fence) implements ClaimCommand {
    public Release {
      ServiceLimits.checkStoreName(store);
      ClaimCodec.checkFence(fence);
    }
  }

  /**
   * {@link ClaimStore#sweep}; of nothing, it only tells the service how late it is. Answered by
   * {@link ClaimReply.Swept}.
   */
  record Sweep(String store, int atMost) implements ClaimCommand {
    public Sweep {
      ServiceLimits.checkStoreName(store);
      ServiceLimits.checkNumber("limit", atMost, 0, ServiceLimits.LIST_ENTRIES);
    }
  }

  /**
   * A page of {@link ClaimStore#unknowns}. Answered by {@link ClaimReply.Unknowns}.
   *
   * @param after the place of the last one of the page before; 0 for the first page
   */
  record Unknowns(String store, long after, int limit) implements ClaimCommand {
    public Unknowns {
      ServiceLimits.checkStoreName(store);
      ServiceLimits.checkNumber("after", after, 0, Long.MAX_VALUE);
      ServiceLimits.checkNumber("limit", limit, 1, ServiceLimits.LIST_ENTRIES);
    }
  }

  /** {@link ClaimStore#evidence}. Answered by {@link ClaimReply.Late}. */
  record Late(String store, GuardedId id) implements ClaimCommand {
    public Late {
      ServiceLimits.checkStoreName(store);
    }
  }

  /**
   * The whole reply of a request that is done. Answered by {@link ClaimReply.Done}, or by {@link
   * ClaimReply.NotDone} if it is not, or not any more.
   */
  record Recall(String store, GuardedId id) implements ClaimCommand {
    public Recall {
      ServiceLimits.checkStoreName(store);
    }
  }

  /** {@link ClaimStore#outcome}; may be sent as a query. Answered by {@link ClaimReply.Outcome}. */
  record Outcome(String store, GuardedId id) implements ClaimCommand {
    public Outcome {
      ServiceLimits.checkStoreName(store);
    }
  }

  /** {@link ClaimStore#abandon}. Answered by {@link ClaimReply.Abandonment}. */
  record Abandon(String store, GuardedId id, long retentionMillis) implements ClaimCommand {
    public Abandon {
      ServiceLimits.checkStoreName(store);
      ServiceLimits.checkNumber("retention", retentionMillis, 1, Long.MAX_VALUE);
    }
  }

  /** {@link ClaimStore#acknowledge}. Answered by {@link ClaimReply.Taken}. */
  record Acknowledge(String store, GuardedId id) implements ClaimCommand {
    public Acknowledge {
      ServiceLimits.checkStoreName(store);
    }
  }

  /**
   * {@link ClaimStore#countOlderThan}; may be sent as a query. Answered by {@link
   * ClaimReply.Counted}.
   *
   * @param startedBeforeMillis a moment of log time
   */
  record CountOlder(String store, long startedBeforeMillis) implements ClaimCommand {
    public CountOlder {
      ServiceLimits.checkStoreName(store);
    }
  }

  /**
   * A part of {@link ClaimStore#forget}: what was started first goes first. Answered by {@link
   * ClaimReply.Swept}; if fewer were dropped than asked for, no more are left.
   *
   * @param startedBeforeMillis a moment of log time
   */
  record Forget(String store, long startedBeforeMillis, int atMost) implements ClaimCommand {
    public Forget {
      ServiceLimits.checkStoreName(store);
      ServiceLimits.checkNumber("limit", atMost, 1, ServiceLimits.LIST_ENTRIES);
    }
  }

  /**
   * Lets a scope accept dated keys only (K5), or all again. Answered by {@link ClaimReply.Taken},
   * which says whether it changed anything.
   */
  record DatedOnly(String store, Scope scope, boolean on) implements ClaimCommand {
    public DatedOnly {
      ServiceLimits.checkStoreName(store);
    }
  }

  /**
   * How many requests {@link ForgetByAge} would drop; may be sent as a query. Answered by {@link
   * ClaimReply.Counted}.
   *
   * @param startedBeforeAgeMillis an age of the cluster
   */
  record CountByAge(String store, long startedBeforeAgeMillis) implements ClaimCommand {
    public CountByAge {
      ServiceLimits.checkStoreName(store);
    }
  }

  /**
   * As {@link Forget}, by the age of the cluster at a request's first start. Unlike log time, age
   * goes on whatever the clocks of leaders did (T3), so this reaches every request some day.
   * Answered by {@link ClaimReply.Swept}.
   *
   * @param startedBeforeAgeMillis an age of the cluster
   */
  record ForgetByAge(String store, long startedBeforeAgeMillis, int atMost)
      implements ClaimCommand {
    public ForgetByAge {
      ServiceLimits.checkStoreName(store);
      ServiceLimits.checkNumber("limit", atMost, 1, ServiceLimits.LIST_ENTRIES);
    }
  }

  static Bytes encode(ClaimCommand command) {
    if (command instanceof Claim c) {
      PayloadWriter out = begin(1, c);
      ClaimCodec.write(out, c.ask());
      return ClaimCodec.write(out, c.terms()).done();
    } else if (command instanceof Rerun c) {
      PayloadWriter out = begin(2, c);
      ClaimCodec.write(out, c.ask());
      return ClaimCodec.write(out.varint(c.fence()), c.terms()).done();
    } else if (command instanceof Done c) {
      PayloadWriter out = ClaimCodec.write(begin(3, c), c.id()).varint(c.fence());
      return out.u8(c.reply().kind().code()).rest(c.reply().bytes()).done();
    } else if (command instanceof Unknown c) {
      return ClaimCodec.write(begin(4, c), c.id()).varint(c.fence()).utf8(c.why()).done();
    } else if (command instanceof Release c) {
      return ClaimCodec.write(begin(5, c), c.id()).varint(c.fence()).done();
    } else if (command instanceof Sweep c) {
      return begin(6, c).varint(c.atMost()).done();
    } else if (command instanceof Unknowns c) {
      return begin(7, c).varint(c.after()).varint(c.limit()).done();
    } else if (command instanceof Late c) {
      return ClaimCodec.write(begin(8, c), c.id()).done();
    } else if (command instanceof Recall c) {
      return ClaimCodec.write(begin(9, c), c.id()).done();
    } else if (command instanceof Outcome c) {
      return ClaimCodec.write(begin(10, c), c.id()).done();
    } else if (command instanceof Abandon c) {
      return ClaimCodec.write(begin(11, c), c.id()).varint(c.retentionMillis()).done();
    } else if (command instanceof Acknowledge c) {
      return ClaimCodec.write(begin(12, c), c.id()).done();
    } else if (command instanceof CountOlder c) {
      return begin(13, c).i64(c.startedBeforeMillis()).done();
    } else if (command instanceof Forget c) {
      return begin(14, c).i64(c.startedBeforeMillis()).varint(c.atMost()).done();
    } else if (command instanceof DatedOnly c) {
      return begin(15, c).utf8(c.scope().name()).u8(c.on() ? 1 : 0).done();
    } else if (command instanceof CountByAge c) {
      return begin(16, c).i64(c.startedBeforeAgeMillis()).done();
    } else if (command instanceof ForgetByAge c) {
      return begin(17, c).i64(c.startedBeforeAgeMillis()).varint(c.atMost()).done();
    }
    throw new IllegalArgumentException("no code is for " + command);
  }

  private static PayloadWriter begin(int code, ClaimCommand command) {
    return new PayloadWriter(code, 128).utf8(command.store());
  }

  /**
   * Reads a command.
   *
   * @throws DamagedException naming the offset and what is wrong there
   */
  static ClaimCommand decode(Bytes payload) {
    PayloadReader in = new PayloadReader("claim command", payload);
    int code = in.u8();
    if (code < 1 || code > LAST_CODE) {
      throw in.unknown("command", code, LAST_CODE);
    }
    String store = in.utf8("store", 1, ServiceLimits.STORE_NAME_BYTES);
    ClaimCommand command =
        switch (code) {
          case 1 -> new Claim(store, ClaimCodec.ask(in), ClaimCodec.terms(in));
          case 2 ->
              new Rerun(store, ClaimCodec.ask(in), ClaimCodec.fence(in), ClaimCodec.terms(in));
          case 3 ->
              new Done(store, ClaimCodec.id(in), ClaimCodec.fence(in), ClaimCodec.lastReply(in));
          case 4 -> new Unknown(store, ClaimCodec.id(in), ClaimCodec.fence(in), ClaimCodec.why(in));
          case 5 -> new Release(store, ClaimCodec.id(in), ClaimCodec.fence(in));
          case 6 -> new Sweep(store, (int) in.number("limit", 0, ServiceLimits.LIST_ENTRIES));
          case 7 ->
              new Unknowns(
                  store,
                  in.number("after", 0, Long.MAX_VALUE),
                  (int) in.number("limit", 1, ServiceLimits.LIST_ENTRIES));
          case 8 -> new Late(store, ClaimCodec.id(in));
          case 9 -> new Recall(store, ClaimCodec.id(in));
          case 10 -> new Outcome(store, ClaimCodec.id(in));
          case 11 ->
              new Abandon(store, ClaimCodec.id(in), in.number("retention", 1, Long.MAX_VALUE));
          case 12 -> new Acknowledge(store, ClaimCodec.id(in));
          case 13 -> new CountOlder(store, in.i64());
          case 14 ->
              new Forget(store, in.i64(), (int) in.number("limit", 1, ServiceLimits.LIST_ENTRIES));
          case 15 ->
              new DatedOnly(
                  store, new Scope(in.utf8("scope", 0, Limits.SCOPE_BYTES)), in.flag("dated only"));
          case 16 -> new CountByAge(store, in.i64());
          default ->
              new ForgetByAge(
                  store, in.i64(), (int) in.number("limit", 1, ServiceLimits.LIST_ENTRIES));
        };
    in.finish();
    return command;
  }
}
