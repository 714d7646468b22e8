package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.replica.LogEntry;
import io.onceward.replica.LogPlace;
import io.onceward.replica.Parameter;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import io.onceward.wire.Timing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeaderTest {
  private static final ClusterId ID = new ClusterId(1, 2);
  private static final long WALL = 1_700_000_000_000L;
  private static final long TABLE_BYTES = 64L << 20;

  private record Submitted(byte[] entry, Object handle) {}

  private static final class Asker extends Visitor {
    final List<Answer> heard = new ArrayList<>();
    final List<Timing> timings = new ArrayList<>();

    Asker() {
      super("alice");
    }

    @Override
    protected void timing(Timing timing) {
      timings.add(timing);
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
    @Nullable Exception damage;

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
      if (damage != null) {
        throw new Tables.NotWholeException(damage);
      }
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
      entries.add(applyFirst());
    }
    return entries;
  }

  private LogEntry applyFirst() {
    Submitted first = around.submitted.remove();
    List<Decision> decisions = new ArrayList<>();
    around.replica.apply(
        around.replica.position() + 1,
        1,
        first.entry(),
        (ordinal, decision) -> decisions.add(decision));
    leader.applied(first.handle(), decisions);
    flush();
    return LogEntry.decode(first.entry());
  }

  /** The only entry that was submitted; nothing is submitted again at once. */
  private void loseTheEntry() {
    assertThat(around.submitted).hasSize(1);
    leader.lost(around.submitted.remove().handle(), "gone");
    flush();
    assertThat(around.submitted).as("before it is due").isEmpty();
    nowMillis = leader.dueMillis();
    flush();
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

  private List<Request> requestsOf(List<LogEntry> entries) {
    List<Request> requests = new ArrayList<>();
    for (LogEntry entry : entries) {
      entry.proposals().forEach(one -> requests.add(RequestCodec.decode(one.frame())));
    }
    return requests;
  }

  private static Bytes digest(int first) {
    byte[] digest = new byte[Request.NameDigest.DIGEST_BYTES];
    digest[0] = (byte) first;
    return Bytes.of(digest);
  }

  private static String hex(Bytes digest) {
    return HexFormat.of().formatHex(digest.toArray());
  }

  @Test
  void replicasAreComparedOnceAfterEachSnapshot() {
    applyAll();
    leader.snapshotWritten();
    flush();
    assertThat(requestsOf(applyAll()))
        .containsExactly(
            new Request.ConfirmQuarantines(1, List.of()), new Request.CompareDigests());
    assertThat(leader.comparisons().begin()).isTrue();
    leader.snapshotWritten();
    leader.comparisons().failed();
    flush();
    assertThat(applyAll()).as("nothing has changed since").isEmpty();

    assertThat(leader.comparisons().begin()).isTrue();
    ask(keyed("a"));
    applyAll();
    leader.snapshotWritten();
    flush();
    assertThat(applyAll()).as("while a digest is computed").isEmpty();

    leader.comparisons().computed(2, hex(digest(7)));
    flush();
    assertThat(requestsOf(applyAll()))
        .contains(new Request.NameDigest(2, digest(7)), new Request.CompareDigests());
    flush();
    assertThat(applyAll()).as("named once").isEmpty();
  }

  @Test
  void followerComparesNothingAndNamesNothingUntilItLeads() {
    applyAll();
    leader.following("elsewhere");
    leader.snapshotWritten();
    assertThat(leader.comparisons().begin()).isTrue();
    leader.comparisons().computed(1, hex(digest(7)));
    flush();
    assertThat(around.submitted).isEmpty();

    leader.leading(ID);
    flush();
    assertThat(requestsOf(applyAll())).containsExactly(new Request.NameDigest(1, digest(7)));
    leader.comparisons().named(1, hex(digest(7)));
    leader.following("elsewhere");
    leader.leading(ID);
    flush();
    assertThat(applyAll()).as("the log knows it").isEmpty();
  }

  @Test
  void leaderConfirmsWhatItObeyedAndCompares() {
    applyAll();
    around.replica.quarantine(2, 0);
    ask(keyed("a"));
    List<Request> logged = requestsOf(applyAll());
    assertThat(logged.subList(1, 3))
        .containsExactly(
            new Request.ConfirmQuarantines(2, List.of(new LogPlace(2, 0))),
            new Request.CompareDigests());
    assertThat(around.replica.unconfirmedQuarantines()).isEmpty();
    leader.leading(ID);
    flush();
    assertThat(applyAll()).as("confirmed already").isEmpty();
  }

  @Test
  void confirmationThatIsLostIsLoggedAgain() {
    applyAll();
    around.replica.quarantine(2, 0);
    ask(keyed("a"));
    applyFirst();
    loseTheEntry();
    assertThat(requestsOf(applyAll()))
        .containsExactly(
            new Request.ConfirmQuarantines(2, List.of(new LogPlace(2, 0))),
            new Request.CompareDigests());
    assertThat(around.replica.unconfirmedQuarantines()).isEmpty();
    flush();
    assertThat(applyAll()).as("logged again once").isEmpty();
  }

  @Test
  void snapshotDoesNotReplaceALostConfirmation() {
    applyAll();
    around.replica.quarantine(2, 0);
    ask(keyed("a"));
    applyFirst();
    leader.lost(around.submitted.remove().handle(), "gone");
    flush();
    leader.snapshotWritten();
    nowMillis = leader.dueMillis();
    flush();
    assertThat(requestsOf(applyAll()))
        .contains(new Request.ConfirmQuarantines(2, List.of(new LogPlace(2, 0))));
  }

  /** They are busy for seconds while a snapshot is installed. */
  @Test
  void visitorIsGreetedWithoutTheTables() {
    applyAll();
    leader.following("elsewhere:1");
    around.damage = new IllegalStateException("not restored yet");
    leader.meets(alice);
    assertThat(alice.timings).hasSize(1);
  }

  @Test
  void comparisonThatIsLostIsLoggedAgain() {
    applyAll();
    leader.snapshotWritten();
    flush();
    loseTheEntry();
    assertThat(requestsOf(applyAll()))
        .containsExactly(
            new Request.ConfirmQuarantines(1, List.of()), new Request.CompareDigests());
  }

  @Test
  void nameThatIsLostIsLoggedAgainUnlessTheLogKnowsIt() {
    applyAll();
    assertThat(leader.comparisons().begin()).isTrue();
    leader.comparisons().computed(1, hex(digest(7)));
    flush();
    loseTheEntry();
    assertThat(requestsOf(List.of(LogEntry.decode(around.submitted.element().entry()))))
        .containsExactly(new Request.NameDigest(1, digest(7)));
    leader.comparisons().named(1, hex(digest(7)));
    loseTheEntry();
    assertThat(applyAll()).isEmpty();
  }

  @Test
  void whatIsLostWithTheLeadershipIsNotLoggedAgain() {
    applyAll();
    leader.snapshotWritten();
    flush();
    leader.lost(around.submitted.remove().handle(), "not the leader any more");
    flush();
    leader.following("elsewhere");
    flush();
    assertThat(leader.dueMillis()).isEqualTo(Leader.NEVER);
    leader.leading(ID);
    flush();
    assertThat(around.submitted).isEmpty();
  }

  @Test
  void laterLeaderConfirmsWhatWasNotConfirmed() {
    applyAll();
    around.replica.quarantine(2, 0);
    leader.following("elsewhere");
    byte[] entry =
        new LogEntry(ID.tag(), WALL, List.of(new LogEntry.Proposal("ann", keyed("a")))).encode();
    around.replica.apply(2, 1, entry, null);
    flush();
    assertThat(around.submitted).isEmpty();
    leader.leading(ID);
    flush();
    assertThat(requestsOf(applyAll()))
        .contains(new Request.ConfirmQuarantines(2, List.of(new LogPlace(2, 0))));
  }

  private List<Answer> query(String... questions) {
    for (String question : questions) {
      leader.door().ask(alice, 1, new Question.Query(Bytes.utf8(question)));
    }
    flush();
    assertThat(leader.confirmed(around.confirming.remove())).isFalse();
    return alice.heard;
  }

  /** However short the pages are told: they were gathered while all others waited. */
  @Test
  void pageOfSessionsEndsTheTurn() {
    applyAll();
    for (int i = 0; i < 3; i++) {
      leader.door().ask(alice, i, new Question.ListSessions(0, 1));
      leader.door().ask(alice, i, new Question.CountOlderThan(1));
    }
    flush();
    Door.Reads reads = around.confirming.remove();
    for (int page = 1; page <= 3; page++) {
      assertThat(leader.confirmed(reads)).as("there is a rest").isTrue();
      assertThat(alice.heard).hasSize(2 * page - 1);
      assertThat(alice.heard.get(2 * page - 2)).isInstanceOf(Answer.SessionsTold.class);
    }
    assertThat(leader.confirmed(reads)).isFalse();
    assertThat(alice.heard).hasSize(6);
  }

  @Test
  void pageOfNoSessionsIsRejected() {
    applyAll();
    leader.door().ask(alice, 1, new Question.ListSessions(0, 0));
    leader.door().ask(alice, 2, new Question.ListSessions(0, -1));
    flush();
    Door.Reads reads = around.confirming.remove();
    while (leader.confirmed(reads)) {
      assertThat(alice.heard).isNotEmpty();
    }
    assertThat(alice.heard)
        .containsExactly(
            new Answer.Rejected("a page of sessions has 1 session or more, not 0"),
            new Answer.Rejected("a page of sessions has 1 session or more, not -1"));
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

  // ---- timing ---------------------------------------------------------------------------------

  private Asker another() {
    Asker asker = new Asker();
    leader.meets(asker);
    return asker;
  }

  private void set(Parameter parameter, long value) {
    ask(new Request.SetParameter(parameter, value));
    applyAll();
  }

  private Timing timing() {
    return Tables.of(around.replica).timing();
  }

  @Test
  void visitorHearsTheTimingOnceWhenItFirstAsks() {
    applyAll();
    set(Parameter.KEEP_ALIVE_MILLIS, 500);
    Asker bob = another();
    leader.meets(bob);
    assertThat(bob.timings).containsExactly(new Timing(500, 300_000, 604_800_000));
  }

  @Test
  void visitorOfANodeThatHasJustStartedHearsWhatItsTablesSay() {
    around.replica.apply(1, 1, formation(), null);
    leader.applied(null, List.of());
    assertThat(another().timings).containsExactly(timing()).doesNotContain(Timing.INITIAL);
  }

  /** An entry of others, which this node applies before anybody asks it anything. */
  private byte[] formation() {
    List<LogEntry.Proposal> proposals =
        List.of(proposal(new Request.FormCluster(ID)), proposal(interval(700)));
    return new LogEntry(0, WALL, proposals).encode();
  }

  @Test
  void everyoneWhoEverAskedHearsEachChangeAtOnceAndNothingElse() {
    applyAll();
    Asker bob = another();
    Asker carol = another();
    leader.leaves(carol);
    for (Parameter parameter :
        List.of(
            Parameter.KEEP_ALIVE_MILLIS,
            Parameter.SESSION_EXPIRY_MILLIS,
            Parameter.DURABLE_EXPIRY_MILLIS)) {
      set(parameter, 2_000);
      assertThat(bob.timings).endsWith(timing());
      set(parameter, 2_000);
      set(Parameter.MAX_REPLY_BYTES, 300);
      pass(1_000);
    }
    assertThat(bob.timings).hasSize(4).doesNotHaveDuplicates();
    assertThat(carol.timings).hasSize(1);
  }

  @Test
  void changesThatFollowEachOtherSoonAreToldTogether() {
    applyAll();
    Asker bob = another();
    for (int millis = 1_000; millis < 2_000; millis++) {
      set(Parameter.KEEP_ALIVE_MILLIS, millis);
    }
    assertThat(bob.timings).as("the first at once").hasSize(2);
    pass(100);
    assertThat(bob.timings).hasSize(3).endsWith(timing());
    pass(1_000);
    assertThat(bob.timings).hasSize(3);
  }

  /** Its clients may not have noticed yet that another one leads. */
  @Test
  void nodeThatDoesNotLeadTellsWhatItsLogSays() {
    applyAll();
    Asker bob = another();
    leader.following("elsewhere:1");
    around.replica.apply(
        2, 2, new LogEntry(ID.tag(), WALL, List.of(proposal(interval(800)))).encode(), null);
    leader.applied(null, List.of());
    flush();
    assertThat(bob.timings).hasSize(2).endsWith(timing());
  }

  private static LogEntry.Proposal proposal(Request request) {
    return new LogEntry.Proposal(Door.NODE, request);
  }

  @Test
  void tablesThatAreNotWholeSendTheirReadersElsewhere() {
    applyAll();
    around.damage = new IllegalStateException("half a snapshot");
    assertThat(query(""))
        .containsExactly(
            new Answer.Unavailable(
                "this node has to stop: the tables of this node are not whole: half a snapshot"));
  }
}
