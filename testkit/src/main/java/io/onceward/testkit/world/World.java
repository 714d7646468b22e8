package io.onceward.testkit.world;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.Fingerprint;
import io.onceward.Scope;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.Auditor;
import io.onceward.testkit.audit.Batch;
import io.onceward.testkit.audit.Events.Digested;
import io.onceward.testkit.audit.Events.Healed;
import io.onceward.testkit.audit.Events.Horizon;
import io.onceward.testkit.audit.Events.Inventory;
import io.onceward.testkit.audit.Events.Queried;
import io.onceward.testkit.audit.Events.Told;
import io.onceward.testkit.audit.Events.Way;
import io.onceward.wire.Answer;
import io.onceward.wire.Timing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One simulated cluster with its clients, from a seed to the last digest. Everything that happens
 * in it happens through {@link VirtualTime}; the same seed makes the same world.
 */
public final class World {
  static final int SCOPES = 4;
  private static final String ADDRESSES = "node:";
  private static final int FIRST_CALLER = 100;

  /** After healing, this long may pass until fewer wait than ever before. */
  private static final long HEALING_MILLIS = 60_000;

  private static final long SETTLING_MILLIS = 3_000;
  private static final long STEP_MILLIS = 500;
  private static final long LOOK_MILLIS = 500;
  private static final long NARROW_BYTES = 10_000;
  private static final long FORGET_MILLIS = 900_000;

  private final Dice dice;
  private final Scenario scenario;
  private final Parts parts;
  private final StateMachine.Maker maker;
  private final VirtualTime time = new VirtualTime();
  private final Trace trace;
  private final Auditor auditor;
  private final Network network;
  private final List<Node> nodes = new ArrayList<>();
  private final List<Caller> callers = new ArrayList<>();
  private final List<Rogue> rogues = new ArrayList<>();
  private final List<Seat> seats = new ArrayList<>();
  private final TreeMap<Long, Disk.Logged> committed = new TreeMap<>();
  private final Map<String, String> aliases = new HashMap<>();
  private final Engine engine;
  private final Administrator administrator;
  private final Director director;
  private final Elections elections;
  private final Stranger stranger;
  private final Operator operator = new Operator(this);
  private long wishes;
  private long answers;
  private long answeredPosition;
  private long restingUntilMillis;
  private long restedMillis;
  private boolean outage;
  private boolean finishing;
  private long doors;

  /**
   * The world of a seed.
   *
   * @param lines hears every event as a line; null to keep quiet
   */
  public World(long seed, Parts parts, Auditor auditor, @Nullable Consumer<String> lines) {
    this.dice = new Dice(seed);
    this.parts = parts;
    this.maker = parts.machines();
    this.auditor = auditor;
    this.scenario = Scenario.draw(dice.of("scenario"));
    this.trace = new Trace(time, lines);
    this.engine = new Engine(dice.of("engine"), scenario.repeatPerMille());
    this.network = new Network(time, dice.of("network"), scenario.nodes(), scenario.weather());
    Dice clocks = dice.of("clocks");
    for (int number = 0; number < scenario.nodes(); number++) {
      NodeClock clock = new NodeClock(time, clocks.between(-500L, 500L), 0);
      nodes.add(new Node(number, this, clock));
    }
    this.elections = new Elections(this, dice.of("elections"));
    this.stranger = new Stranger(this, dice.of("stranger"));
    this.administrator = new Administrator(this);
    this.director = new Director(this, dice.of("director"), elections, seats);
    trace.note("seed", seed, scenario.nodes(), scenario);
  }

  /** Lets everything happen; throws what the auditor throws. */
  public void run(long activeMillis) {
    nodes.forEach(Node::start);
    elections.begin();
    elections.hold();
    populate();
    director.begin(activeMillis);
    stranger.begin(activeMillis);
    watchDoors();
    while (time.nowMillis() - restedMillis < activeMillis || resting()) {
      time.step(time.nowMillis() + STEP_MILLIS);
    }
    finishing = true;
    director.heal();
    waitUntilDecided();
    auditor.healed(new Healed(undecided(), time.nowMillis()));
    compareThroughTheLog();
    new QuietEnd(this, callers, dice.of("quiet end")).play(this::runFor);
    long caughtUpMillis = time.nowMillis() + HEALING_MILLIS;
    while (time.nowMillis() < caughtUpMillis && !everyNodeHasEverything()) {
      runFor(STEP_MILLIS);
    }
    compareAll();
  }

  /**
   * A caller whose clock is ahead is refused many times before it learns so, and its requests may
   * go one by one: together they may take longer than any of them.
   */
  private void waitUntilDecided() {
    long untilMillis = time.nowMillis() + HEALING_MILLIS;
    runFor(SETTLING_MILLIS);
    int fewest = undecided().size();
    while (time.nowMillis() < untilMillis && fewest > 0) {
      runFor(STEP_MILLIS);
      int left = undecided().size();
      if (left < fewest) {
        fewest = left;
        untilMillis = time.nowMillis() + HEALING_MILLIS;
      }
    }
  }

  /** Shows the doors to the auditor every so often; nothing in the world depends on it. */
  private void watchDoors() {
    everyMember().filter(Node::isUp).forEach(node -> node.doorstep().look());
    time.after(LOOK_MILLIS, this::watchDoors);
  }

  private void runFor(long millis) {
    long until = time.nowMillis() + millis;
    while (time.step(until)) {
      // Each step is one event.
    }
  }

  private void populate() {
    Dice drawn = dice.of("population");
    Scenario.Population population = scenario.population();
    for (Scenario.Setting setting : scenario.initial()) {
      administrator.set(setting.parameter(), setting.value());
    }
    administrator.begin();
    seats(drawn, ClientKind.REGISTERED, population.registered());
    seats(drawn, ClientKind.DURABLE, population.durable());
    seats(drawn, ClientKind.AUTO, population.auto());
    for (int i = 0; i < population.keyed(); i++) {
      new KeyClient(this, principal(drawn.below(principals()))).begin();
    }
    for (int i = 0; i < population.unkeyed(); i++) {
      new UnkeyedClient(this, principal(drawn.below(principals()))).begin();
    }
    for (int i = 0; i < population.rogues(); i++) {
      Rogue rogue = new Rogue(this, principal(drawn.below(principals())));
      rogues.add(rogue);
      rogue.begin();
    }
    boolean narrow = scenario.doorLimits().waitingBytes() <= NARROW_BYTES;
    if (narrow && dice.of("clingers").perMille(500)) {
      new Clinger(this, "clinger").begin();
    }
  }

  private void seats(Dice drawn, ClientKind kind, int count) {
    for (int i = 0; i < count; i++) {
      String name = kind == ClientKind.REGISTERED ? "" : "client " + i;
      boolean journaled =
          kind == ClientKind.DURABLE && drawn.perMille(scenario.habits().journalPerMille());
      JournalDisk disk = journaled ? new JournalDisk(time, dice.of("journal " + i)) : null;
      Seat seat = new Seat(this, principal(drawn.below(principals())), kind, name, disk);
      seats.add(seat);
      seat.startAtHome();
    }
  }

  // The end of a run.

  private List<String> undecided() {
    List<String> undecided = new ArrayList<>();
    for (Caller caller : callers) {
      if (caller.isAlive()) {
        undecided.addAll(caller.undecided());
      }
    }
    return undecided;
  }

  private boolean everyNodeHasEverything() {
    long last = committed.isEmpty() ? 0 : committed.lastKey();
    return everyMember().allMatch(node -> node.isUp() && node.applied() >= last);
  }

  /** Sooner or later a leader cuts a snapshot, and that brings to light whether a node differs. */
  private void compareThroughTheLog() {
    long since = positions();
    long untilMillis = time.nowMillis() + HEALING_MILLIS;
    while (time.nowMillis() < untilMillis && !everyNodeWasComparedSince(since)) {
      if (administrator.undecided().isEmpty()) {
        // Where nothing happens, nothing is compared.
        administrator.wants(new Request.Acknowledge(Scope.NONE, List.of()));
      }
      everyMember().forEach(Node::cutSnapshotAsLeader);
      runFor(STEP_MILLIS);
    }
    everyMember()
        .filter(Node::isUp)
        .forEach(node -> auditor.compared(node.doorstep().compared(since)));
  }

  private boolean everyNodeWasComparedSince(long position) {
    return everyMember()
        .allMatch(node -> node.isUp() && node.doorstep().wasComparedSince(position));
  }

  private void compareAll() {
    if (!everyNodeHasEverything()) {
      auditor.healed(
          new Healed(List.of("a node does not catch up with the log"), time.nowMillis()));
    }
    everyMember().forEach(Node::showDigest);
    StateMachine.Place place =
        new StateMachine.Place(
            0, () -> NodeClock.EPOCH_MILLIS + time.nowMillis(), new WishService(0, e -> {}));
    StateMachine replayed = maker.fresh(place);
    operator.quarantineAfter(0, replayed);
    for (Map.Entry<Long, Disk.Logged> entry : committed.entrySet()) {
      byte[] bytes = entry.getValue().bytes();
      if (bytes != null) {
        replayed.apply(entry.getKey(), entry.getValue().term(), bytes, null);
      }
    }
    String digest = replayed.digest();
    trace.note("replayed", replayed.position(), digest.hashCode(), digest);
    auditor.digested(new Digested(-1, replayed.position(), Way.REPLAYED, digest));
  }

  // What nodes tell.

  /** Whether a follower's decisions are wanted. */
  boolean needsTelling(int node, long position) {
    return node != scenario.silentNode() || position > auditor.ledger().position();
  }

  void applied(Node node, long position, long term, byte[] entry, Batch batch) {
    Disk.Logged first = committed.putIfAbsent(position, new Disk.Logged(term, entry));
    if (first != null && (first.term() != term || !Arrays.equals(first.bytes(), entry))) {
      throw new IllegalStateException("two entries were committed at " + position);
    }
    trace.note("apply", node.number, position, batch.decisions());
    if (first == null) {
      batch.decisions().forEach(told -> trace.note("decided", position, Trace.hashOf(told), null));
    }
    auditor.applied(node.number, position, term, entry, batch);
  }

  /** Lets the auditor look into a node's tables. */
  void showTables(Node node) {
    StateMachine machine = node.machine();
    long beforeMillis = machine.timeMillis() - FORGET_MILLIS;
    long beforeAgeMillis = machine.ageMillis() - FORGET_MILLIS;
    auditor.inventory(
        new Inventory(
            node.number,
            machine.position(),
            machine.sessions(),
            beforeMillis,
            machine.countOlderThan(beforeMillis),
            beforeAgeMillis,
            machine.countByAge(beforeAgeMillis)));
    for (int i = 0; i < principals(); i++) {
      String name = aliasOf(principal(i));
      String told = machine.query(name, Bytes.EMPTY).bytes().asText();
      auditor.queried(new Queried(node.number, machine.position(), name, told));
    }
    for (int i = 0; i < SCOPES; i++) {
      auditor.horizon(
          new Horizon(
              node.number, machine.position(), scope(i).name(), machine.horizonMicros(scope(i))));
    }
  }

  long nextDoor() {
    return ++doors;
  }

  /** Where clients reach a node. */
  String address(int node) {
    return ADDRESSES + node;
  }

  /** The node at an address. */
  int nodeAt(String address) {
    return Integer.parseInt(address.substring(ADDRESSES.length()));
  }

  // What callers tell and ask.

  int enter(Caller caller) {
    callers.add(caller);
    return FIRST_CALLER + callers.size() - 1;
  }

  void hear(int caller, int connection, long ticket, Heard heard) {
    callers.get(caller - FIRST_CALLER).hear(connection, ticket, heard);
  }

  void timing(int caller, int connection, Timing timing) {
    callers.get(caller - FIRST_CALLER).timing(connection, timing);
  }

  void overheard(Ask.Copy copy) {
    if (copy.caller() != administrator.endpoint()) {
      rogues.forEach(rogue -> rogue.overhear(copy));
    }
  }

  void answered(Ask.Copy copy, Answer.Decided told, long position) {
    answers++;
    answeredPosition = Math.max(answeredPosition, position);
    trace.note("answer", copy.caller(), Trace.hashOf(told.decision()), told.decision());
    auditor.answered(copy.principal(), copy.request(), told.decision(), told.clusterTag());
  }

  void told(Told told) {
    trace.note("told", told.servedAtPosition(), told.askedAtPosition(), told.outcome());
    auditor.told(told);
  }

  long nextWish() {
    return ++wishes;
  }

  long answeredPosition() {
    return answeredPosition;
  }

  void learnAlias(String name, String principal) {
    aliases.put(principal, name);
  }

  String aliasOf(String principal) {
    return aliases.getOrDefault(principal, principal);
  }

  String principal(int number) {
    return "principal " + number;
  }

  int principals() {
    return scenario.population().principals();
  }

  Scope scope(int number) {
    return number == 0 ? Scope.NONE : new Scope("scope " + number);
  }

  static Fingerprint fingerprintOf(Bytes payload) {
    return new Fingerprint(Dice.mix(payload.asBuffer().getLong() + payload.length()));
  }

  // Time off.

  void rest(long millis, boolean withoutNodes) {
    trace.note("rest", millis, withoutNodes ? 1 : 0, null);
    restingUntilMillis = time.nowMillis() + millis;
    restedMillis += millis;
    outage = withoutNodes;
  }

  boolean resting() {
    return time.nowMillis() < restingUntilMillis;
  }

  boolean outage() {
    return outage && resting();
  }

  long restMillis() {
    return Math.max(0, restingUntilMillis - time.nowMillis());
  }

  boolean finishing() {
    return finishing;
  }

  // The parts.

  VirtualTime time() {
    return time;
  }

  Dice dice(String concern) {
    return dice.of(concern);
  }

  Scenario scenario() {
    return scenario;
  }

  Parts parts() {
    return parts;
  }

  StateMachine.Maker maker() {
    return maker;
  }

  Auditor auditor() {
    return auditor;
  }

  Engine engine() {
    return engine;
  }

  Network network() {
    return network;
  }

  Administrator administrator() {
    return administrator;
  }

  Operator operator() {
    return operator;
  }

  Node node(int number) {
    return number < nodes() ? nodes.get(number) : stranger.node();
  }

  /** Those that vote, and one that perhaps was added. */
  private Stream<Node> everyMember() {
    return IntStream.range(0, members()).filter(this::isMember).mapToObj(this::node);
  }

  /** A node's log is gone: leaders cannot rely on what it had. */
  void forgetProgress(int number) {
    for (Node node : nodes) {
      Leadership leadership = node.leadership();
      if (leadership != null) {
        leadership.forget(number);
      }
    }
  }

  /** How many nodes vote; their numbers begin at 0. */
  int nodes() {
    return scenario.nodes();
  }

  /** The age that the foremost node shows in its status. */
  long ageMillis() {
    return everyMember()
        .filter(Node::isUp)
        .mapToLong(node -> node.machine().ageMillis())
        .max()
        .orElse(0);
  }

  /** How many nodes there may ever be; the last one only gets the log, once it was added. */
  int members() {
    return scenario.nodes() + 1;
  }

  boolean isMember(int number) {
    return number < nodes() || stranger.added();
  }

  /** How often an idle client speaks. */
  long keepAliveMillis() {
    return scenario.keepAliveMillis();
  }

  Trace trace() {
    return trace;
  }

  // What a run came to.

  public long traceHash() {
    return trace.hash();
  }

  public long events() {
    return trace.events();
  }

  /** Simulated time in which clients were at work. */
  public long activeMillis() {
    return time.nowMillis() - restedMillis;
  }

  public long skippedMillis() {
    return restedMillis;
  }

  public long requestsAnswered() {
    return answers;
  }

  public long positions() {
    return committed.isEmpty() ? 0 : committed.lastKey();
  }
}
