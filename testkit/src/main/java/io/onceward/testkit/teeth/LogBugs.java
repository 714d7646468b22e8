package io.onceward.testkit.teeth;

import io.onceward.Decision;
import io.onceward.Outcome;
import io.onceward.replica.Parameter;
import io.onceward.replica.Request;
import io.onceward.testkit.world.StateMachine;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What can be wrong with time, with parameters, and with being the same everywhere. */
final class LogBugs {
  private LogBugs() {}

  static final class LocalClock extends Around {
    LocalClock(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    long stampMillis(long stampMillis) {
      return place.clockMillis().getAsLong();
    }
  }

  /** Takes every entry for one of its own cluster. */
  static final class TagNotChecked extends Around {
    TagNotChecked(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    long clusterTag(long tag) {
      return tag == 0 ? 0 : inner.clusterId().tag();
    }
  }

  /** Takes each leader's stamp as it comes. */
  static final class TimeGoesBack extends Around {
    private long stampMillis;

    TimeGoesBack(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    long stampMillis(long stamp) {
      stampMillis = stamp;
      return stamp;
    }

    @Override
    public long timeMillis() {
      return stampMillis;
    }

    @Override
    Decision told(Incoming incoming, Decision decision) {
      return decision instanceof Decision.Replied replied && !replied.replay()
          ? new Decision.Replied(replied.reply(), false, replied.position(), stampMillis)
          : decision;
    }
  }

  /** Counts as age what is none: jumps of a clock, or the time without a leader, or both. */
  static final class AgeCountsTooMuch extends Around {
    private static final long LONGEST_MILLIS = Parameter.KEEP_ALIVE_MILLIS.most();

    private final boolean jumps;
    private final boolean leaderChanges;

    AgeCountsTooMuch(Place place, StateMachine inner, boolean jumps, boolean leaderChanges) {
      super(place, inner);
      this.jumps = jumps;
      this.leaderChanges = leaderChanges;
    }

    @Override
    long term(long term) {
      return leaderChanges ? 1 : term;
    }

    @Override
    Request change(Incoming incoming) {
      if (jumps
          && incoming.request() instanceof Request.SetParameter set
          && set.parameter() == Parameter.KEEP_ALIVE_MILLIS
          && set.value() >= set.parameter().least()
          && set.value() <= set.parameter().most()) {
        notes.put("interval", set.value());
        return new Request.SetParameter(Parameter.KEEP_ALIVE_MILLIS, LONGEST_MILLIS);
      }
      return incoming.request();
    }

    @Override
    public long parameter(Parameter parameter) {
      return parameter == Parameter.KEEP_ALIVE_MILLIS && jumps
          ? notes.getOrDefault("interval", parameter.initial())
          : inner.parameter(parameter);
    }
  }

  /** Sleeps until the next tick, by the interval that it read when it went to sleep. */
  static final class OldInterval extends Around {
    private long intervalMillis;
    private long readAtMillis;

    OldInterval(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    public long parameter(Parameter parameter) {
      long now = inner.parameter(parameter);
      if (parameter != Parameter.KEEP_ALIVE_MILLIS) {
        return now;
      }
      long clockMillis = place.clockMillis().getAsLong();
      if (clockMillis < readAtMillis || clockMillis >= readAtMillis + intervalMillis) {
        intervalMillis = now;
        readAtMillis = clockMillis;
      }
      return intervalMillis;
    }
  }

  /** Does not listen to what the leader's digest was. */
  static final class DifferenceIgnored extends Around {
    DifferenceIgnored(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    public Request.@Nullable NameDigest namedDigest() {
      return null;
    }
  }

  /** Believes its own configuration where the log says otherwise. */
  static final class ParametersOfTheNode extends Around {
    ParametersOfTheNode(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    Request change(Incoming incoming) {
      return incoming.request() instanceof Request.SetParameter set
              && set.parameter() == Parameter.SESSION_EXPIRY_MILLIS
          ? new Request.SetParameter(set.parameter(), set.value() + place.node())
          : incoming.request();
    }
  }

  /** Forgets by its own idea of how old is old. */
  static final class ForgetByTheNode extends Around {
    private static final long MINUTE = 60_000;

    ForgetByTheNode(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    Request change(Incoming incoming) {
      return incoming.request() instanceof Request.Forget forget
          ? new Request.Forget(forget.beforeMillis() - 5 * MINUTE * place.node())
          : incoming.request();
    }
  }

  /**
   * Counts from the log's clock back to a bound of age, and forgets by log time: right until log
   * time and age part.
   */
  static final class AgeBoundAppliedToLogTime extends Around {
    AgeBoundAppliedToLogTime(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    Request change(Incoming incoming) {
      return incoming.request() instanceof Request.ForgetByAge forget
          ? new Request.Forget(inner.timeMillis() - inner.ageMillis() + forget.beforeAgeMillis())
          : incoming.request();
    }
  }

  /** Looks up ids in what this term's leader remembers; apply itself checks nothing. */
  static final class CheckedByTheLeaderOnly extends Around {
    private long leadersTerm;
    private List<String> leaderKnows = new ArrayList<>();

    CheckedByTheLeaderOnly(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    long term(long term) {
      if (term != leadersTerm) {
        leadersTerm = term;
        leaderKnows = new ArrayList<>();
      }
      return term;
    }

    @Override
    Request change(Incoming incoming) {
      Request bare = withoutId(incoming.request());
      if (bare == null) {
        return incoming.request();
      }
      String id = incoming.principal() + idOf(incoming.request());
      boolean known = leaderKnows.contains(id);
      leaderKnows.add(id);
      return !known && outcome(incoming) instanceof Outcome.Executed ? bare : incoming.request();
    }

    private static String idOf(Request request) {
      if (request instanceof Request.InSession ask) {
        return ask.address().toString() + ask.sequence();
      }
      return request instanceof Request.Keyed ask ? ask.scope() + "/" + ask.key() : "";
    }
  }
}
