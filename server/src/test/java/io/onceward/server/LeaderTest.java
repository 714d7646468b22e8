package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Parameter;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeaderTest {
  private static final ClusterId ID = new ClusterId(1, 2);
  private static final long WALL = 1_700_000_000_000L;
  private static final long TABLE_BYTES = 64L << 20;

  private record Submitted(byte[] entry, Object handle) {}

  private static final class Asker extends Visitor {
    final List<Answer> heard = new ArrayList<>();

    Asker() {
      super("alice");
    }

    @Override
    protected void answer(long ticket, Answer answer) {
      heard.add(answer);
    }
  }

  private static final class Surroundings implements Leader.Surroundings {
    final Replica replica = new Replica(new AddingService());
    final List<Throwable> problems = new ArrayList<>();
    final ArrayDeque<Submitted> submitted = new ArrayDeque<>();
    final ArrayDeque<Door.Reads> confirming = new ArrayDeque<>();
    boolean reforms;

    @Override
    public void submit(byte[] entry, Object handle) {
      submitted.add(new Submitted(entry, handle));
    }

    @Override
    public void confirm(Door.Reads reads) {
      confirming.add(reads);
    }

    @Override
    public boolean needsClusterId() {
      return reforms || replica.clusterId().equals(ClusterId.NONE);
    }

    @Override
    public void broken(String what, Throwable cause) {
      problems.add(cause);
    }

    @Override
    public <T> T read(Function<Tables, T> reading) {
      return reading.apply(Tables.of(replica));
    }
  }

  private final Surroundings around = new Surroundings();
  private final Leader<Door> leader =
      new Leader<>(
          around, door -> new Door(door, DoorLimits.DEFAULT, new Door.Seed(1, 2)), TABLE_BYTES);
  private final Asker alice = new Asker();
  private long nowMillis = 5_000;

  @BeforeEach
  void lead() {
    leader.leading(ID);
    flush();
  }

  private void flush() {
    leader.flush(WALL + nowMillis, nowMillis);
  }

  /** Time passes; what is due is done when it is due. */
  private void pass(long millis) {
    long end = nowMillis + millis;
    while (leader.dueMillis() <= end) {
      nowMillis = Math.max(nowMillis, leader.dueMillis());
      flush();
      applyAll();
    }
    nowMillis = end;
  }

  private List<LogEntry> applyAll() {
    List<LogEntry> entries = new ArrayList<>();
    while (!around.submitted.isEmpty()) {
      Submitted first = around.submitted.remove();
      List<Decision> decisions = new ArrayList<>();
      around.replica.apply(
          around.replica.position() + 1,
          1,
          first.entry(),
          (ordinal, decision) -> decisions.add(decision));
      leader.applied(first.handle(), decisions);
      flush();
      entries.add(LogEntry.decode(first.entry()));
    }
    return entries;
  }

  private void ask(Request request) {
    leader.door().ask(alice, 1, new Question.Logged(Bytes.of(RequestCodec.encode(request))));
    flush();
  }

  private static Request keyed(String key) {
    return new Request.Keyed(Scope.NONE, Key.text(key), null, List.of(), Bytes.utf8("5"));
  }

  private static Request interval(long millis) {
    return new Request.SetParameter(Parameter.KEEP_ALIVE_MILLIS, millis);
  }

  private static boolean isTick(LogEntry entry) {
    return RequestCodec.decode(entry.proposals().get(0).frame()) instanceof Request.Tick;
  }

  @Test
  void firstLeaderFormsTheClusterAndOpens() {
    assertThat(leader.isOpen()).isFalse();
    applyAll();
    assertThat(around.replica.clusterId()).isEqualTo(ID);
    assertThat(around.replica.parameter(Parameter.MAX_TABLE_BYTES)).isEqualTo(TABLE_BYTES);
    assertThat(leader.isOpen()).isTrue();
  }

  @Test
  void lostFormationIsRepeatedWithTheSameId() {
    Submitted first = around.submitted.remove();
    leader.lost(first.handle(), "gone");
    flush();
    assertThat(around.submitted).as("at once").isEmpty();
    nowMillis = leader.dueMillis();
    flush();
    Submitted second = around.submitted.element();
    assertThat(LogEntry.decode(second.entry()).proposals())
        .isEqualTo(LogEntry.decode(first.entry()).proposals());
    applyAll();
    assertThat(leader.isOpen()).isTrue();
  }

  @Test
  void formationThatIsAppliedAfterItWasLostOpensTheDoor() {
    Submitted first = around.submitted.remove();
    leader.lost(first.handle(), "gone");
    flush();
    around.replica.apply(1, 1, first.entry(), null);
    leader.applied(null, List.of());
    flush();
    assertThat(leader.isOpen()).isTrue();
    pass(1_000);
    assertThat(around.submitted).isEmpty();
    assertThat(around.replica.position()).isEqualTo(1);
  }

  @Test
  void formationThatIsLostWithTheLeadershipIsNotRepeated() {
    Submitted first = around.submitted.remove();
    leader.following("elsewhere:1");
    leader.lost(first.handle(), "not the leader any more");
    flush();
    assertThat(leader.dueMillis()).isEqualTo(Leader.NEVER);
  }

  @Test
  void formationThatIsAppliedByAFollowerDoesNotOpenTheDoor() {
    leader.following("elsewhere:1");
    applyAll();
    assertThat(leader.isOpen()).isFalse();
    assertThat(leader.elsewhere()).isEqualTo(new Answer.NotLeader("elsewhere:1"));
  }

  @Test
  void restoredClusterGetsAnotherId() {
    applyAll();
    leader.following("");
    ClusterId other = new ClusterId(3, 4);
    around.reforms = true;
    leader.leading(other);
    flush();
    assertThat(leader.isOpen()).isFalse();
    around.reforms = false;
    applyAll();
    assertThat(around.replica.clusterId()).isEqualTo(other);
    assertThat(leader.isOpen()).isTrue();
  }

  @Test
  void ticksOncePerIntervalWhileAnythingCanExpire() {
    applyAll();
    pass(60_000);
    assertThat(around.replica.position()).as("nothing can expire").isEqualTo(1);
    ask(keyed("a"));
    applyAll();
    pass(60_000);
    assertThat(around.replica.position()).isEqualTo(2 + 6);
  }

  @Test
  void wallClockThatJumpsIsReportedWhileItLeads() {
    leader.flush(WALL + 60_000 + nowMillis, nowMillis);
    assertThat(leader.stampAheadMillis()).isEqualTo(-60_000);
    leader.following("elsewhere");
    assertThat(leader.stampAheadMillis()).isZero();
  }

  @Test
  void followerIsNeverDue() {
    applyAll();
    leader.following("");
    flush();
    assertThat(leader.dueMillis()).isEqualTo(Leader.NEVER);
  }

  /** Execution 22. */
  @Test
  void shortenedIntervalIsFollowedAtOnce() {
    applyAll();
    ask(keyed("a"));
    ask(interval(60_000));
    applyAll();
    pass(30_000);
    ask(interval(1_000));
    List<LogEntry> entries = applyAll();
    assertThat(entries).hasSize(2);
    assertThat(isTick(entries.get(1))).isTrue();
    long before = around.replica.ageMillis();
    pass(10_000);
    assertThat(around.replica.ageMillis() - before).isEqualTo(10_000);
  }

  @Test
  void lengthenedIntervalIsFollowedAtOnce() {
    applyAll();
    ask(keyed("a"));
    ask(interval(60_000));
    applyAll();
    assertThat(leader.dueMillis()).isEqualTo(nowMillis + 60_000);
  }

  /** An entry whose handle the log has lost may be applied all the same. */
  @Test
  void intervalThatAnEntryOfOthersSetsIsFollowed() {
    applyAll();
    ask(keyed("a"));
    applyAll();
    byte[] entry =
        new LogEntry(ID.tag(), WALL, List.of(new LogEntry.Proposal("admin", interval(100))))
            .encode();
    around.replica.apply(around.replica.position() + 1, 1, entry, null);
    leader.applied(null, List.of());
    assertThat(leader.dueMillis()).isEqualTo(nowMillis + 100);
  }

  private List<Answer> query(String... questions) {
    for (String question : questions) {
      leader.door().ask(alice, 1, new Question.Query(Bytes.utf8(question)));
    }
    flush();
    assertThat(leader.confirmed(around.confirming.remove())).isFalse();
    return alice.heard;
  }

  @Test
  void queryThatOverflowsTheStackIsRejectedAndTheOthersAreAnswered() {
    applyAll();
    assertThat(query("", "overflow", ""))
        .hasSize(3)
        .satisfies(heard -> assertThat(heard.get(1)).isInstanceOf(Answer.Rejected.class));
    assertThat(alice.heard.get(2)).isInstanceOf(Answer.QueryTold.class);
    assertThat(around.problems).isEmpty();
    assertThat(alice.waiting).isZero();
  }

  @Test
  void errorOfTheMachineInAQueryStopsTheNodeAndTheOthersAreAnswered() {
    applyAll();
    assertThat(query("", "memory", ""))
        .hasSize(3)
        .satisfies(heard -> assertThat(heard.get(1)).isInstanceOf(Answer.Unavailable.class));
    assertThat(alice.heard.get(2)).isInstanceOf(Answer.QueryTold.class);
    assertThat(around.problems).hasSize(1);
    assertThat(alice.waiting).isZero();
  }
}
