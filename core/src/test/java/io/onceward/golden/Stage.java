package io.onceward.golden;

import io.onceward.Decision;
import io.onceward.Frozen;
import io.onceward.Outcome;
import io.onceward.golden.Node.Heard;
import io.onceward.golden.Node.Logged;
import io.onceward.replica.DifferentQuarantinesException;
import io.onceward.replica.LogEntry;
import io.onceward.replica.LogEntry.Proposal;
import io.onceward.replica.Parameter;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The world in which a script plays: a log, a clock that the script moves, and two nodes that apply
 * the same entries. The first node is the one whose decisions the script sees; the second one must
 * decide the same at every entry, and have the same digest at the end.
 */
final class Stage {
  /** A request that answers FAILED instead of reaching the service. */
  private record Quarantined(long position, int ordinal) {}

  private final Function<Boolean, CounterService> services;
  private final List<Logged> log = new ArrayList<>();
  private final List<List<Decision>> decided = new ArrayList<>();
  private final List<Quarantined> quarantine = new ArrayList<>();

  /** First executions by position, to see that a replay tells the truth about where and when. */
  private final TreeMap<Long, List<Decision.Replied>> executions = new TreeMap<>();

  /** Every node gets another one. */
  private long secrets;

  private Node first;
  private Node second;
  private int secondHasApplied;
  private boolean lagging;

  private long nowMillis = Durations.BEGINNING_MILLIS;
  private long nextStampOffset;
  private long position;
  private long term = 1;

  /** What the log continues: nothing, or the backup from which the cluster was restored. */
  private byte @Nullable [] base;

  private @Nullable Frozen frozen;
  private int frozenAfter;
  private byte @Nullable [] backup;
  private long backupPosition;
  private int freezeAfterRequest;
  private String freezeVerdict = "no snapshot was asked for inside an entry";

  /**
   * @param services makes a node's service; the argument tells whether its exceptions have messages
   */
  Stage(Function<Boolean, CounterService> services) {
    this.services = services;
    this.first = beginning(false);
    this.second = beginning(true);
  }

  Replica replica() {
    return first.replica();
  }

  CounterService service() {
    return first.service();
  }

  long nowMillis() {
    return nowMillis;
  }

  // The log.

  /** Logs the requests as one entry and applies it. Empty if the node had stopped before. */
  Heard log(List<Proposal> proposals) {
    LogEntry entry =
        new LogEntry(replica().clusterId().tag(), nowMillis + nextStampOffset, proposals);
    Logged logged = new Logged(position + 1, term, entry.encode(), proposals.size());
    if (first.isStopped()) {
      return new Heard(List.of(), refusalOfStoppedNode(logged));
    }
    nextStampOffset = 0;
    position++;
    log.add(logged);
    Heard heard = freezeAfterRequest == 0 ? first.apply(logged) : applyWithSnapshotInside(logged);
    witness(logged.position(), heard.decisions());
    decided.add(heard.decisions());
    if (!lagging) {
      feedSecond(heard.stoppedBy());
    }
    return heard;
  }

  private String refusalOfStoppedNode(Logged logged) {
    try {
      first.apply(logged);
    } catch (IllegalStateException e) {
      return "an earlier error";
    }
    throw new AssertionError("a node that an Error had stopped applied another entry");
  }

  private void feedSecond(@Nullable String stoppedBy) {
    while (secondHasApplied < log.size()) {
      Logged entry = log.get(secondHasApplied);
      Heard heard = second.apply(entry);
      boolean last = secondHasApplied == log.size() - 1;
      String expectedStop = last ? stoppedBy : null;
      if (!String.valueOf(heard.stoppedBy()).equals(String.valueOf(expectedStop))
          || !heard.decisions().equals(decided.get(secondHasApplied))) {
        throw new AssertionError(
            "two nodes decided differently at entry "
                + entry.position()
                + ": "
                + decided.get(secondHasApplied)
                + " and "
                + heard);
      }
      secondHasApplied++;
    }
  }

  /** Checks what decisions say about where and when a request executed. */
  private void witness(long at, List<Decision> decisions) {
    for (Decision decision : decisions) {
      if (decision instanceof Decision.Replied replied) {
        if (replied.replay()) {
          requireWitness(replied);
        } else if (replied.position() != at || replied.timeMillis() != replica().timeMillis()) {
          throw new AssertionError("executed at entry " + at + ", but it says " + replied);
        } else {
          executions.computeIfAbsent(at, p -> new ArrayList<>()).add(replied);
        }
      }
    }
  }

  private void requireWitness(Decision.Replied replay) {
    Decision.Replied original =
        new Decision.Replied(replay.reply(), false, replay.position(), replay.timeMillis());
    if (!executions.getOrDefault(replay.position(), List.of()).contains(original)) {
      throw new AssertionError("nothing executed as this replay says: " + replay);
    }
  }

  /** Checks what an outcome says about where and when a request executed. */
  Outcome witnessed(Outcome outcome) {
    if (outcome instanceof Outcome.Executed executed) {
      requireWitness(
          new Decision.Replied(executed.reply(), true, executed.position(), executed.timeMillis()));
    }
    return outcome;
  }

  void skipPositions(int count) {
    position += count;
  }

  // Time.

  /** Time passes while the leader logs a tick per keep-alive interval. */
  void pass(long millis) {
    long end = nowMillis + millis;
    while (nowMillis < end) {
      long interval = replica().parameter(Parameter.KEEP_ALIVE_MILLIS);
      nowMillis = Math.min(end, nowMillis + interval);
      log(List.of(new Proposal(Cast.NOBODY, new Request.Tick())));
    }
  }

  /** Time passes and nothing is applied, under the same leader. */
  void stall(long millis) {
    nowMillis += millis;
  }

  long newLeader() {
    return ++term;
  }

  /** How far the clock of the leader is off when it stamps the next entry. */
  void offsetNextStamp(long millis) {
    nextStampOffset = millis;
  }

  // Nodes.

  void lag() {
    lagging = true;
  }

  String catchUp() {
    lagging = false;
    feedSecond(null);
    return compare(second);
  }

  /** The second node gets the state of the first one instead of the entries that it missed. */
  String installSnapshot() {
    second = restored(true, first.snapshot());
    quarantineOn(second);
    secondHasApplied = log.size();
    lagging = false;
    return compare(second);
  }

  /** From now on the script sees what the other node decides. */
  void switchNodes() {
    if (lagging) {
      throw new ScriptException("a node that lags cannot lead; let it catch up first");
    }
    Node other = second;
    second = first;
    first = other;
  }

  /** The first node goes on as a copy of itself that was written and read. */
  String snapshotAndRestore() {
    Node copy = restored(false, first.snapshot());
    quarantineOn(copy);
    String verdict = compare(copy);
    first = copy;
    return verdict;
  }

  /** Keeps a view of the present, which is written only when somebody restarts from it. */
  void freeze() {
    frozen = first.replica().freeze();
    frozenAfter = log.size();
  }

  /**
   * Every node starts again: the first from the frozen view, if there is one, and the entries after
   * it, the second from the whole log.
   *
   * @return what stopped it again, or null
   */
  @Nullable String restart() {
    int from = 0;
    if (frozen != null) {
      first = restored(false, Node.written(frozen));
      from = frozenAfter;
      frozen = null;
    } else {
      first = beginning(false);
    }
    quarantineOn(first);
    for (int i = from; i < log.size(); i++) {
      Heard heard = first.apply(log.get(i));
      witnessAgain(i, heard);
      if (heard.stoppedBy() != null) {
        return heard.stoppedBy();
      }
    }
    second = beginning(true);
    quarantineOn(second);
    secondHasApplied = 0;
    lagging = false;
    feedSecond(null);
    return null;
  }

  /** An entry that was decided before the restart must be decided the same after it. */
  private void witnessAgain(int index, Heard heard) {
    boolean undecided = decided.get(index).isEmpty();
    if (undecided) {
      decided.set(index, heard.decisions());
      witness(log.get(index).position(), heard.decisions());
    } else if (!decided.get(index).equals(heard.decisions())) {
      throw new AssertionError(
          "after the restart entry "
              + log.get(index).position()
              + " was decided as "
              + heard
              + ", before as "
              + decided.get(index));
    }
  }

  private Node beginning(boolean talkative) {
    return base == null
        ? Node.fresh(services.apply(talkative), ++secrets)
        : restored(talkative, base);
  }

  private Node restored(boolean talkative, byte[] snapshot) {
    return Node.restored(services.apply(talkative), ++secrets, snapshot);
  }

  /** Quarantines a request of the last entry; it takes effect when nodes restart. */
  void quarantineLast(int ordinal) {
    quarantine.add(new Quarantined(position, ordinal));
  }

  /** Quarantines a request of the entry that is yet to come, on every node. */
  void quarantineNext(int ordinal) {
    quarantine.add(new Quarantined(position + 1, ordinal));
    first.replica().quarantine(position + 1, ordinal);
    second.replica().quarantine(position + 1, ordinal);
  }

  private void quarantineOn(Node node) {
    for (Quarantined one : quarantine) {
      if (one.position() > node.replica().position()) {
        node.replica().quarantine(one.position(), one.ordinal());
      }
    }
  }

  void backUp() {
    backup = first.snapshot();
    backupPosition = position;
  }

  /** Both nodes go back to the backup, and everything after it never was. */
  void restoreBackup() {
    if (backup == null) {
      throw new ScriptException("there is no backup to restore");
    }
    base = backup;
    first = beginning(false);
    second = beginning(true);
    position = backupPosition;
    executions.tailMap(backupPosition, false).clear();
    log.clear();
    decided.clear();
    secondHasApplied = 0;
    frozen = null;
  }

  /** A third node applies the whole log, in another time zone and language, and says nothing. */
  String replayElsewhere() {
    Locale locale = Locale.getDefault();
    TimeZone zone = TimeZone.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Kiritimati"));
      Node third = beginning(true);
      quarantineOn(third);
      log.forEach(third::follow);
      return compare(third);
    } finally {
      Locale.setDefault(locale);
      TimeZone.setDefault(zone);
    }
  }

  /** A third node applies the whole log, and no operator told it of any quarantine. */
  String replayWithoutQuarantines() {
    Node third = beginning(true);
    for (Logged entry : log) {
      String before = third.replica().digest();
      try {
        third.follow(entry);
      } catch (DifferentQuarantinesException differs) {
        boolean untouched = third.replica().digest().equals(before);
        return "stopped before entry " + entry.position() + (untouched ? "" : ", WHICH IT BEGAN");
      }
    }
    return compare(third);
  }

  private String compare(Node other) {
    return first.replica().digest().equals(other.replica().digest())
        ? "same digest"
        : "OTHER DIGEST";
  }

  // A snapshot that is asked for at a bad moment.

  void freezeInsideNextEntry(int afterRequest) {
    freezeAfterRequest = afterRequest;
  }

  String freezeVerdict() {
    return freezeVerdict;
  }

  private Heard applyWithSnapshotInside(Logged logged) {
    int after = freezeAfterRequest;
    freezeAfterRequest = 0;
    String before = first.replica().digest();
    List<byte[]> cut = new ArrayList<>();
    first
        .service()
        .interrupt(
            after,
            () -> {
              try {
                cut.add(first.snapshot());
              } catch (IllegalStateException e) {
                cut.clear();
              }
            });
    Heard heard = first.apply(logged);
    boolean inside = false;
    for (byte[] snapshot : cut) {
      String digest = restored(false, snapshot).replica().digest();
      inside |= !digest.equals(before) && !digest.equals(first.replica().digest());
    }
    freezeVerdict = inside ? "CUT INSIDE THE ENTRY" : "not cut inside the entry";
    return heard;
  }

  /** What must hold when a script is over. */
  void end() {
    if (first.isStopped()) {
      throw new AssertionError("the script ends with a stopped node: nothing can be compared");
    }
    if (lagging) {
      lagging = false;
      feedSecond(null);
    }
    require("the second node", compare(second));
    require("a copy from a snapshot", snapshotAndRestore());
    require("a node that replays the whole log", replayElsewhere());
  }

  private static void require(String who, String verdict) {
    if (!verdict.equals("same digest")) {
      throw new AssertionError("at the end of the script " + who + " has another digest");
    }
  }
}
