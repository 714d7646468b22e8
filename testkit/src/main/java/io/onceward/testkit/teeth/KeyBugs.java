package io.onceward.testkit.teeth;

import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.Outcome;
import io.onceward.Refusal;
import io.onceward.Scope;
import io.onceward.replica.Parameter;
import io.onceward.replica.Request;
import io.onceward.testkit.world.StateMachine;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What can be wrong with keys. */
final class KeyBugs {
  private static final long OTHER_BITS = 0x5A5A;

  private KeyBugs() {}

  private static @Nullable Key keyOf(Request request) {
    if (request instanceof Request.Keyed ask) {
      return ask.key();
    }
    return request instanceof Request.AbandonKey ask ? ask.key() : null;
  }

  private static Scope scopeOf(Request request) {
    if (request instanceof Request.Keyed ask) {
      return ask.scope();
    }
    return request instanceof Request.AbandonKey ask ? ask.scope() : Scope.NONE;
  }

  private static Request withKey(Request request, Scope scope, Key key) {
    if (request instanceof Request.Keyed ask) {
      return new Request.Keyed(scope, key, ask.fingerprint(), ask.acknowledged(), ask.command());
    }
    return request instanceof Request.AbandonKey ? new Request.AbandonKey(scope, key) : request;
  }

  private static String note(String principal, Scope scope, Key key) {
    return principal + "/" + scope.name() + "/" + key.kind() + key.high() + ":" + key.low();
  }

  /** A key that looks new and is dated the same. */
  private static Key other(Key key) {
    return Key.of(key.kind(), key.high(), key.low() ^ OTHER_BITS);
  }

  /** A key without the date that would have it refused. */
  private static Key undated(Key key) {
    return Key.of(Key.Kind.HASH, key.high(), key.low());
  }

  /** Takes the acknowledgement as leave to forget the key altogether. */
  static final class NoTombstone extends Around {
    NoTombstone(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    Request change(Incoming incoming) {
      if (incoming.request() instanceof Request.Acknowledge ask) {
        note(incoming.principal(), ask.scope(), ask.acknowledged());
      } else if (incoming.request() instanceof Request.Keyed ask) {
        note(incoming.principal(), ask.scope(), ask.acknowledged());
      }
      Key key = keyOf(incoming.request());
      Scope scope = scopeOf(incoming.request());
      return key != null && notes.containsKey(KeyBugs.note(incoming.principal(), scope, key))
          ? withKey(incoming.request(), scope, other(key))
          : incoming.request();
    }

    private void note(String principal, Scope scope, List<Key> keys) {
      for (Key key : keys) {
        if (inner.outcome(principal, scope, key) instanceof Outcome.Executed) {
          notes.put(KeyBugs.note(principal, scope, key), 1L);
        }
      }
    }
  }

  /** Keeps the latest keys only, whatever was promised for the others. */
  static final class EvictedByCapacity extends Around {
    private static final int MOST_KEYS = 40;

    EvictedByCapacity(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    Request change(Incoming incoming) {
      Key key = keyOf(incoming.request());
      if (key == null) {
        return incoming.request();
      }
      Scope scope = scopeOf(incoming.request());
      String note = note(incoming.principal(), scope, key);
      long arrived = notes.getOrDefault(note, Long.MAX_VALUE);
      if (arrived == Long.MAX_VALUE) {
        notes.put(note, (long) notes.size());
        return incoming.request();
      }
      return arrived < notes.size() - MOST_KEYS
          ? withKey(incoming.request(), scope, other(key))
          : incoming.request();
    }
  }

  /** What makes a dated key without a record too old, and a bug forgets. */
  enum Horizon {
    NEVER_APPLIED,
    GOES_BACK,
    NOT_RAISED_BY_FORGET
  }

  /** Treats some dated keys that are at or before the horizon as new ones. */
  static final class HorizonIgnored extends Around {
    private final Horizon how;

    HorizonIgnored(Place place, StateMachine inner, Horizon how) {
      super(place, inner);
      this.how = how;
    }

    @Override
    Request change(Incoming incoming) {
      note(incoming.request());
      Key key = keyOf(incoming.request());
      if (key == null || !key.isDated()) {
        return incoming.request();
      }
      Scope scope = scopeOf(incoming.request());
      notes.putIfAbsent("scope " + scope, 0L);
      boolean tooOld =
          inner.outcome(incoming.principal(), scope, key) instanceof Outcome.NoRecordSince;
      return tooOld && isIgnored(scope, key)
          ? withKey(incoming.request(), scope, undated(key))
          : incoming.request();
    }

    private boolean isIgnored(Scope scope, Key key) {
      long from = notes.getOrDefault("from " + scope, 0L);
      long to = notes.getOrDefault("to " + scope, 0L);
      return how == Horizon.NEVER_APPLIED || (key.dateMicros() > from && key.dateMicros() <= to);
    }

    private void note(Request request) {
      boolean goesBack =
          request instanceof Request.SetScope
              || (request instanceof Request.SetParameter set
                  && set.parameter() == Parameter.RETENTION_MILLIS);
      if (how == Horizon.GOES_BACK && goesBack) {
        eachScope(scope -> notes.put("to " + scope, inner.horizonMicros(scope)));
      }
      boolean forgets = request instanceof Request.Forget || request instanceof Request.ForgetByAge;
      if (how == Horizon.NOT_RAISED_BY_FORGET && forgets) {
        eachScope(scope -> notes.put("from " + scope, inner.horizonMicros(scope)));
        notes.put("forgets", 1L);
      }
    }

    @Override
    void applied(long position, long term) {
      if (notes.remove("forgets") != null) {
        eachScope(scope -> notes.put("to " + scope, inner.horizonMicros(scope)));
      }
    }

    private void eachScope(Consumer<Scope> each) {
      List<String> known = List.copyOf(notes.tailMap("scope ").keySet());
      for (String note : known) {
        if (note.startsWith("scope ")) {
          each.accept(new Scope(note.substring("scope ".length())));
        }
      }
    }
  }

  /** Executes keys however far ahead they are dated. */
  static final class FutureAccepted extends Around {
    FutureAccepted(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    Request change(Incoming incoming) {
      Key key = keyOf(incoming.request());
      long latest = inner.timeMillis() + inner.parameter(Parameter.FUTURE_MILLIS);
      return key != null && key.isDated() && key.dateMicros() / 1_000 > latest + 10_000
          ? withKey(incoming.request(), scopeOf(incoming.request()), undated(key))
          : incoming.request();
    }
  }

  /** Tells keys apart by their bits alone. */
  static final class PrincipalNotPartOfTheKey extends Around {
    PrincipalNotPartOfTheKey(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    String principal(Incoming incoming) {
      return keyOf(incoming.request()) == null ? incoming.principal() : "everyone";
    }
  }

  static final class ScopeNotPartOfTheKey extends Around {
    ScopeNotPartOfTheKey(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    Request change(Incoming incoming) {
      Key key = keyOf(incoming.request());
      return key == null ? incoming.request() : withKey(incoming.request(), Scope.NONE, key);
    }
  }

  /** Has no room for those who would make room. */
  static final class FullTableRefusesAcknowledgements extends Around {
    FullTableRefusesAcknowledgements(Place place, StateMachine inner) {
      super(place, inner);
    }

    private boolean isTurnedAway(Incoming incoming) {
      return incoming.request() instanceof Request.Acknowledge
          && inner.tableBytes() > inner.parameter(Parameter.MAX_TABLE_BYTES) / 4;
    }

    @Override
    Request change(Incoming incoming) {
      if (isTurnedAway(incoming)) {
        notes.put("full at " + incoming.ordinal(), incoming.position());
        return new Request.Tick();
      }
      return incoming.request();
    }

    @Override
    Decision told(Incoming incoming, Decision decision) {
      Long full = notes.get("full at " + incoming.ordinal());
      return full != null && full == incoming.position()
          ? new Decision.Refused(Refusal.OVERLOADED, "table bytes")
          : decision;
    }
  }

  /** Was full once, and turns away whatever is new from then on. */
  static final class FullForEver extends Around {
    FullForEver(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    Request change(Incoming incoming) {
      if (notes.containsKey("full")
          && incoming.request() instanceof Request.Keyed
          && outcome(incoming) instanceof Outcome.NeverSeen) {
        notes.put("refused at " + incoming.ordinal(), incoming.position());
        return new Request.Tick();
      }
      return incoming.request();
    }

    @Override
    Decision told(Incoming incoming, Decision decision) {
      if (decision instanceof Decision.Refused refused && refused.refusal() == Refusal.OVERLOADED) {
        notes.put("full", 1L);
      }
      Long refused = notes.get("refused at " + incoming.ordinal());
      return refused != null && refused == incoming.position()
          ? new Decision.Refused(Refusal.OVERLOADED, "principal bytes")
          : decision;
    }
  }

  /** Says that an unseen id is closed and writes it down nowhere. */
  static final class AbandonedStillExecutes extends Around {
    AbandonedStillExecutes(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    Request change(Incoming incoming) {
      boolean abandons =
          incoming.request() instanceof Request.AbandonKey
              || incoming.request() instanceof Request.AbandonSequence;
      if (abandons && outcome(incoming) instanceof Outcome.NeverSeen) {
        notes.put("abandoned at " + incoming.ordinal(), incoming.position());
        return new Request.Tick();
      }
      return incoming.request();
    }

    @Override
    Decision told(Incoming incoming, Decision decision) {
      Long abandoned = notes.get("abandoned at " + incoming.ordinal());
      return abandoned != null && abandoned == incoming.position()
          ? new Decision.Abandoned(true)
          : decision;
    }
  }

  /** Calls an undated key never seen whose record was dropped. */
  static final class DroppedIsCalledNeverSeen extends Around {
    DroppedIsCalledNeverSeen(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    public Outcome outcome(String principal, Scope scope, Key key) {
      Outcome outcome = super.outcome(principal, scope, key);
      return outcome instanceof Outcome.NoRecordSince && !key.isDated()
          ? new Outcome.NeverSeen()
          : outcome;
    }
  }
}
