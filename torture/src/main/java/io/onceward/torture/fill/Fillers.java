package io.onceward.torture.fill;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.GuardedId;
import io.onceward.replica.Request;
import io.onceward.services.ClaimCommand;
import io.onceward.services.ClaimReply;
import io.onceward.services.CounterCommand;
import io.onceward.services.KeyValueCommand;
import io.onceward.services.LeaseCommand;
import io.onceward.services.LeaseReply;
import io.onceward.services.ServiceDirectory;
import io.onceward.services.ServiceLimits;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Everything that clients can make a cluster keep. */
final class Fillers {
  static final Bytes REPLY_KEY = Bytes.utf8("fill/reply");
  private static final Bytes SHORT_REPLY_KEY = Bytes.utf8("fill/short-reply");
  static final int REPLY_BYTES = 16_000;

  private static final int VALUE_BYTES = 48 << 10;
  private static final int LONGEST_COMMAND_VALUE = (1 << 20) - 1_000;
  private static final String STORE = "fill";
  private static final String DOUBTS = "doubts";
  private static final String WHY = "w".repeat(ClaimStore.MAX_WHY_CHARACTERS);
  private static final ClaimTerms TERMS = new ClaimTerms(60_000, 3_600_000);
  private static final ClaimTerms LONGEST =
      new ClaimTerms(ServiceLimits.CLAIM_LEASE_MILLIS, 3_600_000);

  /** Each step follows so many things after the one before. */
  private static final int BEHIND = 500;

  private static final int SURVIVORS = 300;
  private static final String LONG =
      "x".repeat(ServiceLimits.NAME_BYTES - String.format(Locale.ROOT, "%012d", 0).length());

  private final long nowMicros = System.currentTimeMillis() * 1_000;
  private final long clusterTag;

  Fillers(long clusterTag) {
    this.clusterTag = clusterTag;
  }

  List<Filler> all() {
    return List.of(
        values("values", VALUE_BYTES, false),
        values("small-values", 1, false),
        values("descending-keys", 1, true),
        counters(),
        leases(),
        claims(),
        longLeases(),
        claimStores(),
        claimScopes(),
        doubts(),
        replies(),
        keys(),
        sessions(),
        sparseSessions(),
        windows(),
        scopes(),
        queue(),
        // The last, since nothing takes them away, or nothing but their retention.
        aliases(),
        abandoned(),
        doneClaims());
  }

  // ---- services, without ids, so that nothing but the service grows -----------------------------

  private Filler values(String name, int length, boolean descending) {
    Bytes value = Bytes.of(new byte[length]);
    return Filler.of(
        name,
        i -> kv(new KeyValueCommand.Put(key(name, i, descending), value)),
        i -> kv(new KeyValueCommand.Delete(key(name, i, descending))));
  }

  private static Bytes key(String name, long i, boolean descending) {
    return Bytes.utf8(name + "/" + number(descending ? 999_999_999_999L - i : i));
  }

  private static String number(long i) {
    return String.format(Locale.ROOT, "%012d", i);
  }

  private static Filler counters() {
    return Filler.of(
        "counters",
        i -> counter(new CounterCommand.Add(LONG + number(i), 1)),
        i -> counter(new CounterCommand.Add(LONG + number(i), -1)));
  }

  private static Filler leases() {
    Map<Long, Long> tokens = new ConcurrentHashMap<>();
    return Filler.of(
            "leases",
            i ->
                lease(
                    new LeaseCommand.Acquire(
                        LONG + number(i), LONG + number(i), ServiceLimits.LEASE_MILLIS)),
            i ->
                tokens.containsKey(i)
                    ? lease(
                        new LeaseCommand.Release(LONG + number(i), LONG + number(i), tokens.get(i)))
                    : null)
        .noting(
            (decision, i) -> {
              if (decision instanceof Decision.Replied replied
                  && replied.reply().kind() == Reply.Kind.OK
                  && LeaseReply.decode(replied.reply().bytes()) instanceof LeaseReply.Granted g) {
                tokens.put(i, g.token());
              }
            });
  }

  private Filler claims() {
    Map<Long, Long> fences = new ConcurrentHashMap<>();
    return Filler.of(
            "claims",
            this::claim,
            i ->
                fences.containsKey(i)
                    ? claims(new ClaimCommand.Release(STORE, guarded(i), fences.get(i)))
                    : null)
        .noting((decision, i) -> note(fences, decision, i))
        .counting(Fillers::kindOfClaim);
  }

  /** Claims whose runs hold room for their replies as long as they may, and never end. */
  private Filler longLeases() {
    String store = "long-leases";
    Map<Long, Long> fences = new ConcurrentHashMap<>();
    return Filler.of(
            store,
            i -> claims(new ClaimCommand.Claim(store, ask(i), LONGEST)),
            i ->
                fences.containsKey(i)
                    ? claims(new ClaimCommand.Release(store, guarded(i), fences.get(i)))
                    : null)
        .noting((decision, i) -> note(fences, decision, i))
        .counting(Fillers::kindOfClaim)
        .leavingRoom();
  }

  /** Stores of claims with hardly anything in each. */
  private static Filler claimStores() {
    return Filler.of(
            "claim-stores",
            i -> datedOnly("store " + number(i), "", true),
            i -> datedOnly("store " + number(i), "", false))
        .counting(Fillers::kindOfClaim)
        .leavingRoom();
  }

  /** Scopes that take dated keys only, as many of each store as it may have. */
  private static Filler claimScopes() {
    return Filler.of("claim-scopes", i -> claimScope(i, true), i -> claimScope(i, false))
        .counting(Fillers::kindOfClaim)
        .leavingRoom();
  }

  private static Request claimScope(long i, boolean on) {
    String store = "scopes " + i / ServiceLimits.CLAIM_SCOPES;
    return datedOnly(store, "s".repeat(100) + number(i), on);
  }

  private static Request datedOnly(String store, String scope, boolean on) {
    return claims(new ClaimCommand.DatedOnly(store, new Scope(scope), on));
  }

  /** Claims whose effects are done, with long replies; they stay for their retention. */
  private Filler doneClaims() {
    Map<Long, Long> fences = new ConcurrentHashMap<>();
    Bytes reply = Bytes.of(new byte[ServiceLimits.CLAIM_REPLY_BYTES]);
    return Filler.of(
            "done-claims",
            i -> {
              Long fence = fences.remove(i - 1_000);
              return fence == null
                  ? claim(i)
                  : claims(
                      new ClaimCommand.Done(STORE, guarded(i - 1_000), fence, Reply.ok(reply)));
            },
            i -> null)
        .noting((decision, i) -> note(fences, decision, i))
        .counting(Fillers::kindOfClaim);
  }

  /**
   * Claims that become unknown, are run again, get the reply of their first run as evidence, and
   * become unknown again. Many are under way at a time, each a step further.
   */
  private Filler doubts() {
    Map<Long, Long> fences = new ConcurrentHashMap<>();
    int steps = 5;
    Bytes reply = Bytes.of(new byte[ServiceLimits.CLAIM_REPLY_BYTES / 16]);
    return Filler.of(
            "doubts",
            i -> {
              long id = i / steps - i % steps * BEHIND;
              Long fence = fences.get(id);
              if (fence == null) {
                return claims(new ClaimCommand.Claim(DOUBTS, ask(Math.max(id, 0)), TERMS));
              }
              return claims(
                  switch ((int) (i % steps)) {
                    case 0 -> new ClaimCommand.Claim(DOUBTS, ask(id), TERMS);
                    case 2 -> new ClaimCommand.Rerun(DOUBTS, ask(id), fence, TERMS);
                    case 3 -> new ClaimCommand.Done(DOUBTS, guarded(id), 1, Reply.ok(reply));
                    default -> new ClaimCommand.Unknown(DOUBTS, guarded(id), fence, WHY);
                  });
            },
            i -> {
              Long fence = i % steps == 0 ? fences.get(i / steps) : null;
              return fence == null
                  ? null
                  : claims(new ClaimCommand.Release(DOUBTS, guarded(i / steps), fence));
            })
        .noting(
            (decision, i) -> note(fences, decision, Math.max(0, i / steps - i % steps * BEHIND)))
        .counting(Fillers::kindOfClaim);
  }

  private Request claim(long i) {
    return claims(new ClaimCommand.Claim(STORE, ask(i), TERMS));
  }

  private Ask ask(long i) {
    return new Ask(
        guarded(i), null, "o".repeat(Ask.MAX_OPERATION_BYTES), "m".repeat(Ask.MAX_MEMO_BYTES));
  }

  private GuardedId guarded(long i) {
    return GuardedId.of(dated(i));
  }

  private static void note(Map<Long, Long> fences, Decision decision, long i) {
    if (decision instanceof Decision.Replied replied
        && replied.reply().kind() == Reply.Kind.OK
        && ClaimReply.decode(replied.reply().bytes()) instanceof ClaimReply.Started started) {
      fences.put(i, started.fence());
    }
  }

  /** The service says by itself that it has no room for a claim. */
  private static String kindOfClaim(Decision decision) {
    if (decision instanceof Decision.Replied replied
        && replied.reply().kind() == Reply.Kind.OK
        && ClaimReply.decode(replied.reply().bytes()) instanceof ClaimReply.Refused refused) {
      return refused.refusal().name();
    }
    return Pump.kindOf(decision);
  }

  // ---- tables -----------------------------------------------------------------------------------

  /** Keys with long replies that nobody acknowledges. */
  private Filler replies() {
    return Filler.of(
            "replies",
            i -> keyed(i, kvCommand(new KeyValueCommand.Get(REPLY_KEY))),
            i -> acknowledge(i))
        .after(kv(new KeyValueCommand.Put(REPLY_KEY, Bytes.of(new byte[REPLY_BYTES]))));
  }

  /** Keys with short replies that nobody acknowledges. */
  private Filler keys() {
    return Filler.of(
        "keys",
        i -> keyed(1L << 40 | i, counterCommand(new CounterCommand.Add("fill", 1))),
        i -> acknowledge(1L << 40 | i));
  }

  /** Keys that are closed before they were ever used. */
  private Filler abandoned() {
    return Filler.of(
            "abandoned",
            i -> new Request.AbandonKey(Scope.NONE, Key.text("abandoned " + i)),
            i -> null)
        .passing();
  }

  private Filler sessions() {
    Map<Long, Request.Address> opened = new ConcurrentHashMap<>();
    return Filler.of(
            "sessions",
            i -> open(i, ClientKind.DURABLE, "n".repeat(100) + number(i)),
            i -> opened.containsKey(i) ? new Request.Close(opened.get(i)) : null)
        .noting(
            (decision, i) -> {
              if (decision instanceof Decision.Opened o) {
                opened.put(i, new Request.Address(clusterTag, o.session(), o.incarnation()));
              }
            });
  }

  /**
   * Sessions that take turns, so that what they keep stands side by side, and of which only one in
   * hundreds stays: what the others took must be given back (B5).
   */
  private Filler sparseSessions() {
    Map<Long, Request.Address> opened = new ConcurrentHashMap<>();
    Bytes command = kvCommand(new KeyValueCommand.Get(SHORT_REPLY_KEY));
    int steps = 4;
    return Filler.of(
            "sparse-sessions",
            i -> {
              long step = i % steps;
              long session = i / steps - step * BEHIND;
              Request.Address address = opened.get(session);
              if (step == 0) {
                return open(session, ClientKind.REGISTERED, "");
              }
              if (address == null || step == steps - 1 && session % SURVIVORS == 0) {
                return kv(new KeyValueCommand.Get(SHORT_REPLY_KEY));
              }
              if (step < steps - 1) {
                return new Request.InSession(address, step, 1, null, command);
              }
              opened.remove(session);
              return new Request.Close(address);
            },
            i -> {
              Request.Address survivor = opened.get(i / steps);
              return i % steps == 0 && survivor != null ? new Request.Close(survivor) : null;
            })
        .after(kv(new KeyValueCommand.Put(SHORT_REPLY_KEY, Bytes.of(new byte[1_000]))))
        .noting(
            (decision, i) -> {
              if (decision instanceof Decision.Opened o) {
                opened.put(
                    i / steps, new Request.Address(clusterTag, o.session(), o.incarnation()));
              }
            })
        .passing();
  }

  /** Sessions that take no replies: window after window. */
  private Filler windows() {
    Map<Long, Request.Address> opened = new ConcurrentHashMap<>();
    Bytes command = kvCommand(new KeyValueCommand.Get(REPLY_KEY));
    long perSession = 2_000;
    return Filler.of(
            "windows",
            i -> {
              Request.Address address = opened.get(i / perSession * perSession);
              return address == null
                  ? open(i, ClientKind.REGISTERED, "")
                  : new Request.InSession(address, i % perSession + 1, 1, null, command);
            },
            i -> opened.containsKey(i) ? new Request.Close(opened.get(i)) : null)
        .after(kv(new KeyValueCommand.Put(REPLY_KEY, Bytes.of(new byte[REPLY_BYTES]))))
        .noting(
            (decision, i) -> {
              if (decision instanceof Decision.Opened o) {
                opened.put(i, new Request.Address(clusterTag, o.session(), o.incarnation()));
              }
            });
  }

  private static Request open(long i, ClientKind kind, String name) {
    return new Request.Open(kind, name, i, System.nanoTime(), 0, 0, false, false, 1 << 16);
  }

  /** Settings of scopes that nobody uses; retention 0 takes one away. */
  private static Filler scopes() {
    return Filler.of("scopes", i -> scope(i, 3_600_000), i -> scope(i, 0));
  }

  private static Request scope(long i, long retentionMillis) {
    return new Request.SetScope(new Scope("s".repeat(100) + number(i)), retentionMillis, false);
  }

  /** Other names of principals, each of another that nobody has met. No name is ever removed. */
  private static Filler aliases() {
    return Filler.of(
            "aliases",
            i -> new Request.Alias("a".repeat(100) + number(i), "p".repeat(100) + number(i)),
            i -> null)
        .leavingRoom();
  }

  // ---- queues and files -------------------------------------------------------------------------

  /**
   * The longest commands, always to the same place: they fill queues and logs, and nothing else.
   */
  private static Filler queue() {
    Bytes value = Bytes.of(new byte[LONGEST_COMMAND_VALUE]);
    return Filler.of(
            "queue",
            i -> kv(new KeyValueCommand.Put(Bytes.utf8("queue"), value)),
            i -> i == 0 ? kv(new KeyValueCommand.Delete(Bytes.utf8("queue"))) : null)
        .passing();
  }

  // ---- requests ---------------------------------------------------------------------------------

  private Key dated(long i) {
    return Key.dated(nowMicros, i);
  }

  private Request keyed(long i, Bytes command) {
    return new Request.Keyed(Scope.NONE, dated(i), null, List.of(), command);
  }

  private Request acknowledge(long i) {
    return new Request.Acknowledge(Scope.NONE, List.of(dated(i)));
  }

  static Request kv(KeyValueCommand command) {
    return new Request.Unkeyed(kvCommand(command));
  }

  private static Bytes kvCommand(KeyValueCommand command) {
    return ServiceDirectory.address(ServiceDirectory.KEY_VALUE, KeyValueCommand.encode(command));
  }

  private static Bytes counterCommand(CounterCommand command) {
    return ServiceDirectory.address(ServiceDirectory.COUNTER, CounterCommand.encode(command));
  }

  private static Request counter(CounterCommand command) {
    return new Request.Unkeyed(counterCommand(command));
  }

  private static Request lease(LeaseCommand command) {
    return new Request.Unkeyed(
        ServiceDirectory.address(ServiceDirectory.LEASE, LeaseCommand.encode(command)));
  }

  private static Request claims(ClaimCommand command) {
    return new Request.Unkeyed(
        ServiceDirectory.address(ServiceDirectory.CLAIMS, ClaimCommand.encode(command)));
  }
}
