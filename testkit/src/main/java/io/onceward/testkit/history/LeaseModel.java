package io.onceward.testkit.history;

import io.onceward.Bytes;
import io.onceward.Reply;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Leases as docs/services.md has them. Age ends them, and a history does not know age. Log time may
 * run ahead of it (outages, a clock that jumps) or stand still while it grows (a leader whose clock
 * is behind). So a lease must be held until its time has passed by log time or by the clients'
 * clock, whichever is first; after that the service may say so or not.
 */
final class LeaseModel extends ReferenceModel {
  private static final int ACQUIRE = 1;
  private static final int RENEW = 2;
  private static final int RELEASE = 3;
  private static final int GET = 4;

  private static final Reply NOT_HELD =
      Reply.businessError("lease is not held: it expired or was released");

  /** Stamps may approach a wall clock by a tenth of the time that passes (T2), and are rounded. */
  private static final double FASTEST = 1.15;

  private static final long ROUNDING_NANOS = 50_000_000;

  /**
   * @param grantedNanos by the clients' clock, the earliest that it can have been granted
   * @param ttlMillis 0 if unknown
   */
  private record Lease(
      String holder, long token, long expiresMillis, long grantedNanos, long ttlMillis) {
    boolean mayBeOver(Moment moment) {
      double passed = (moment.answeredNanos() - grantedNanos) * FASTEST + ROUNDING_NANOS;
      return moment.timeMillis() >= expiresMillis || passed / 1e6 >= ttlMillis;
    }
  }

  private final Map<String, Lease> leases = new HashMap<>();
  private final Set<String> unsure = new HashSet<>();
  private long lastToken;

  /** How many tokens may have been given since, to commands that nobody knows. */
  private long missedTokens;

  @Override
  Judgement executed(Bytes command, Moment moment, Reply told) {
    Words words = new Words(command);
    int code = words.u8();
    String name = words.text();
    if (code == GET) {
      return get(name, moment, told);
    }
    String holder = words.text();
    return switch (code) {
      case ACQUIRE -> acquire(name, lease(holder, 0, words.varint(), moment), moment, told);
      case RENEW -> {
        long token = words.varint();
        yield renew(name, lease(holder, token, words.varint(), moment), moment, told);
      }
      case RELEASE -> release(name, holder, words.varint(), moment, told);
      default -> differs("a command that this model knows, got " + code);
    };
  }

  @Override
  Judgement queried(Bytes question, Moment moment, Reply told) {
    Words words = new Words(question);
    int code = words.u8();
    return code == GET
        ? get(words.text(), moment, told)
        : differs("a query that this model knows, got " + code);
  }

  private static Lease lease(String holder, long token, long ttlMillis, Moment granted) {
    long end = granted.timeMillis() + ttlMillis;
    long expires = end < granted.timeMillis() ? Long.MAX_VALUE : end;
    return new Lease(holder, token, expires, granted.invokedNanos(), ttlMillis);
  }

  /** The lease of this name, unless it may be over and the reply is that of a free one. */
  private @Nullable Lease heldAt(String name, Moment moment, Reply told, Reply ifFree) {
    Lease lease = leases.get(name);
    boolean over = lease != null && told.equals(ifFree) && lease.mayBeOver(moment);
    return over ? null : lease;
  }

  private Judgement acquire(String name, Lease wanted, Moment moment, Reply told) {
    Lease held = leases.get(name);
    boolean over = held != null && isOk(told) && held.mayBeOver(moment);
    boolean sure = !unsure.contains(name);
    if (sure && held != null && !over) {
      return compare(heldBy(held), told);
    }
    if (!isOk(told)) {
      return sure ? differs("that it is granted") : TAKEN;
    }
    Words reply = new Words(told.bytes());
    int code = reply.u8();
    long token = code == 1 ? reply.varint() : 0;
    long toldExpires = code == 1 ? reply.i64() : 0;
    long least = lastToken + 1;
    long most = least + missedTokens;
    leases.put(
        name,
        new Lease(wanted.holder(), token, toldExpires, wanted.grantedNanos(), wanted.ttlMillis()));
    unsure.remove(name);
    lastToken = Math.max(token, lastToken);
    missedTokens = 0;
    if (token < least || token > most || toldExpires != wanted.expiresMillis()) {
      return differs("token " + least + " to " + most + " until " + wanted.expiresMillis());
    }
    return sure && least == most ? AGREES : TAKEN;
  }

  private Judgement renew(String name, Lease renewed, Moment moment, Reply told) {
    Reply granted =
        Reply.ok(
            new Words.Writer().u8(1).varint(renewed.token()).i64(renewed.expiresMillis()).done());
    if (unsure.contains(name)) {
      if (isOk(told)) {
        leases.put(name, renewed);
        unsure.remove(name);
        return told.equals(granted) ? TAKEN : compare(granted, told);
      }
      return TAKEN;
    }
    Lease held = heldAt(name, moment, told, NOT_HELD);
    Reply obstacle = obstacle(held, renewed.holder(), renewed.token());
    if (obstacle == null) {
      leases.put(name, renewed);
    }
    return compare(obstacle == null ? granted : obstacle, told);
  }

  private Judgement release(String name, String holder, long token, Moment moment, Reply told) {
    Reply released = Reply.ok(new Words.Writer().u8(2).done());
    if (unsure.contains(name)) {
      if (isOk(told)) {
        leases.remove(name);
        unsure.remove(name);
      }
      return TAKEN;
    }
    Reply obstacle = obstacle(heldAt(name, moment, told, NOT_HELD), holder, token);
    if (obstacle == null) {
      leases.remove(name);
    }
    return compare(obstacle == null ? released : obstacle, told);
  }

  private static @Nullable Reply obstacle(@Nullable Lease held, String holder, long token) {
    if (held == null) {
      return NOT_HELD;
    } else if (!held.holder().equals(holder)) {
      return heldBy(held);
    } else if (held.token() != token) {
      return Reply.businessError("token is " + held.token() + ", got " + token);
    }
    return null;
  }

  private static Reply heldBy(Lease lease) {
    return Reply.businessError(
        "lease is held by "
            + lease.holder()
            + " until "
            + Instant.ofEpochMilli(lease.expiresMillis()));
  }

  private Judgement get(String name, Moment moment, Reply told) {
    return unsure.contains(name)
        ? take(name, told)
        : compare(shown(heldAt(name, moment, told, shown(null))), told);
  }

  private Judgement take(String name, Reply told) {
    Words reply = new Words(told.bytes());
    int code = isOk(told) ? reply.u8() : 0;
    if (code == 3) {
      leases.put(name, new Lease(reply.text(), reply.varint(), reply.i64(), 0, 0));
    } else if (code == 4) {
      leases.remove(name);
    } else {
      return differs("who holds the lease, or that nobody does");
    }
    unsure.remove(name);
    return TAKEN;
  }

  private static Reply shown(@Nullable Lease held) {
    return Reply.ok(
        held == null
            ? new Words.Writer().u8(4).done()
            : new Words.Writer()
                .u8(3)
                .text(held.holder())
                .varint(held.token())
                .i64(held.expiresMillis())
                .done());
  }

  @Override
  void missed(List<Bytes> candidates) {
    boolean grants = false;
    for (Bytes command : candidates) {
      Words words = new Words(command);
      int code = words.u8();
      if (code != GET) {
        unsure.add(words.text());
        grants |= code == ACQUIRE;
      }
    }
    missedTokens += grants ? 1 : 0;
  }
}
