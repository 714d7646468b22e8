package io.onceward.torture.teeth;

import io.onceward.torture.Fault.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;

/** A known mistake: where it is planted, and which faults bring it to light. */
public enum PlantedBug {
  COMMITTED_BY_ONE(
      "the leader answers before a majority has the entry",
      "org.apache.ratis.server.impl.LeaderStateImpl",
      "updateCommit",
      2,
      Mistakes.CommitsAlone.class,
      EnumSet.of(Kind.ISOLATE_LEADER, Kind.KILL_LEADER, Kind.PAUSE_LEADER)),
  NOT_SYNCED(
      "the log is not synced to disk",
      "org.apache.ratis.server.raftlog.segmented.BufferedWriteChannel",
      "flushBuffer",
      0,
      Mistakes.TakesItForSynced.class,
      EnumSet.of(Kind.POWER_CUT_ALL)),
  VOTES_NOT_SYNCED(
      "a vote leaves before it is synced to disk",
      "io.onceward.server.engine.ratis.Votes",
      "sync",
      0,
      Mistakes.DoesNothing.class,
      EnumSet.of(Kind.POWER_CUT)),
  VOTERS_NOT_ASKED(
      "for half a minute a node asks nobody for a vote",
      "io.onceward.server.engine.ratis.MemberRpc",
      "requestVote",
      1,
      Mistakes.DoesNothingForAWhile.class,
      EnumSet.of(Kind.ISOLATE_LEADER)),
  ACKNOWLEDGED_WITH_EVERY_COPY(
      "the leader logs anew what each copy acknowledges, however much waits already",
      "io.onceward.server.Door",
      "admit",
      3,
      Mistakes.LogsWhatIsAcknowledged.class,
      EnumSet.noneOf(Kind.class)),
  KEYS_LEFT_OUT_OF_SNAPSHOT(
      "keys are not restored from a snapshot",
      "io.onceward.replica.KeyTable",
      "rememberExecuted",
      10,
      Mistakes.SkipsWhileRestoring.class,
      EnumSet.of(Kind.KILL_ALL, Kind.KILL_LEADER, Kind.WIPE, Kind.SNAPSHOT)),
  SERVICE_LEFT_OUT_OF_SNAPSHOT(
      "the service is not restored from a snapshot",
      "io.onceward.testkit.history.numbered.Numbered",
      "restore",
      1,
      Mistakes.DoesNothing.class,
      EnumSet.of(Kind.KILL_ALL, Kind.KILL_LEADER, Kind.SNAPSHOT)),
  STALE_READS(
      "a leader answers queries without asking whether it still leads",
      "io.onceward.server.engine.ratis.ReadBarriers",
      "barrier",
      0,
      Mistakes.AlreadyDone.class,
      EnumSet.of(Kind.PAUSE_LEADER)),
  COPIES_OF_KEYS_EXECUTE(
      "a key is not found although it is there",
      "io.onceward.replica.KeyTable",
      "find",
      3,
      Mistakes.FindsNothing.class,
      EnumSet.of(Kind.RESET)),
  COPIES_IN_SESSIONS_EXECUTE(
      "a session does not see that a sequence has its reply",
      "io.onceward.replica.Window",
      "isReply",
      1,
      Mistakes.SaysNo.class,
      EnumSet.of(Kind.RESET, Kind.KILL_LEADER)),
  ORDER_IGNORED(
      "requests of an ordered session may overtake each other",
      "io.onceward.replica.SessionRow",
      "isOrdered",
      1,
      Mistakes.SaysNo.class,
      EnumSet.of(Kind.TRANSFER)),
  REPLAYS_DIFFER(
      "a replay has another last byte than the first reply",
      "io.onceward.replica.Replica",
      "live",
      5,
      Mistakes.AltersReplays.class,
      EnumSet.of(Kind.RESET)),
  A_NODE_DIFFERS(
      "each node counts some commands twice, by chance",
      "io.onceward.testkit.history.numbered.Numbered",
      "execute",
      1,
      Mistakes.CountsTwice.class,
      EnumSet.of(Kind.KILL_FOLLOWER)),
  ABANDONED_BUT_EXECUTED(
      "an abandoned key can still execute",
      "io.onceward.replica.KeyTable",
      "rememberSlim",
      8,
      Mistakes.DoesNothing.class,
      EnumSet.of(Kind.PAUSE_LEADER, Kind.ISOLATE_LEADER)),
  AGE_BY_THE_CLOCK(
      "a clock that jumps ahead makes sessions expire",
      "io.onceward.replica.LogClock",
      "ageMillis",
      0,
      Mistakes.AgesWithTime.class,
      EnumSet.of(Kind.CLOCK)),
  JOURNAL_FORGETS(
      "a client's journal does not keep what it is given",
      "io.onceward.client.journal.JournalImage",
      "batch",
      3,
      Mistakes.WritesNothing.class,
      EnumSet.of(Kind.KILL_CLIENT));

  private final String words;
  private final String type;
  private final String method;
  private final int parameters;
  private final Class<?> mistake;

  @SuppressWarnings("ImmutableEnumChecker") // Nobody changes it, and it is handed out as a copy.
  private final Set<Kind> faults;

  PlantedBug(
      String words,
      String type,
      String method,
      int parameters,
      Class<?> mistake,
      Set<Kind> faults) {
    this.words = words;
    this.type = type;
    this.method = method;
    this.parameters = parameters;
    this.mistake = mistake;
    this.faults = faults;
  }

  /**
   * Those of these names, all if there are none.
   *
   * @throws IllegalArgumentException if there is no such mistake; the message says which there are
   */
  public static List<PlantedBug> named(List<String> names) {
    List<PlantedBug> bugs = new ArrayList<>();
    for (PlantedBug bug : values()) {
      if (names.isEmpty() || names.contains(bug.text())) {
        bugs.add(bug);
      }
    }
    if (bugs.size() < names.size()) {
      throw new IllegalArgumentException(
          "not all of "
              + names
              + " are mistakes that can be planted; there are "
              + Arrays.stream(values()).map(PlantedBug::text).toList());
    }
    return bugs;
  }

  /** As it is named on the command line. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** In a sentence. */
  public String words() {
    return words;
  }

  /** The faults that bring it to light; none if something else does. */
  public Set<Kind> faults() {
    return EnumSet.copyOf(faults);
  }

  /** Whether it shows only in how long requests take. */
  boolean takesLong() {
    return this == VOTERS_NOT_ASKED;
  }

  /** Whether it is in the client's library; otherwise it is in the server. */
  public boolean isInClient() {
    return type.startsWith("io.onceward.client.");
  }

  /** The class in which it is planted. */
  String type() {
    return type;
  }

  ElementMatcher<MethodDescription> where() {
    return ElementMatchers.<MethodDescription>named(method)
        .and(ElementMatchers.takesArguments(parameters));
  }

  Class<?> mistake() {
    return mistake;
  }
}
