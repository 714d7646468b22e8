package io.onceward.testkit.world;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.client.session.ClientSession;
import io.onceward.client.session.JournalState;
import io.onceward.client.session.SessionActions;
import io.onceward.client.session.SessionPlan;
import io.onceward.client.session.SessionRequest;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.ClientEvents.Opened;
import io.onceward.testkit.audit.ClientEvents.Over;
import io.onceward.testkit.audit.ClientEvents.Read;
import io.onceward.testkit.audit.ClientEvents.Recovered;
import io.onceward.testkit.audit.ClientEvents.Started;
import io.onceward.testkit.audit.ClientEvents.Submitted;
import io.onceward.testkit.audit.ClientEvents.Taken;
import io.onceward.testkit.audit.ClientEvents.Tells;
import io.onceward.testkit.audit.Id;
import io.onceward.testkit.world.Scenario.Habits;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import io.onceward.wire.Timing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A program that uses sessions of the library, one after the other: it asks for what its {@link
 * Application} wants, takes replies, gives up waiting, abandons, asks what became of something,
 * closes, and opens again on purpose when a session is over. What it was told {@code never} it asks
 * for again, as it may; what is unknown it leaves.
 */
final class SessionClient extends LibraryProcess {
  private static final long LONGEST_BREAK_MILLIS = 1_500;
  private static final int MOST_WISHES_PER_BEAT = 3;

  private final ClientKind kind;
  private final String name;
  private final @Nullable JournalDisk disk;
  private final Application application;
  private final String client;
  private final Habits habits;
  private final List<SessionRequest> late = new ArrayList<>();

  /** What the journal holds for the application; null for what is unknown for ever. */
  private final Map<String, @Nullable Decision> untaken = new LinkedHashMap<>();

  private JournalState kept = new JournalState();
  private @Nullable ClientSession session;
  private boolean closing;
  private long breakUntilMillis;
  private long quietUntilMillis;

  /**
   * A process of a client.
   *
   * @param disk where its journal is; null for clients without one
   * @param application what an earlier process left, or a new one
   */
  SessionClient(
      World world,
      String principal,
      ClientKind kind,
      String name,
      @Nullable JournalDisk disk,
      Application application) {
    super(world, principal);
    this.kind = kind;
    this.name = name;
    this.disk = disk;
    this.application = application;
    this.client = disk == null ? "process " + endpoint() : "home of " + kind + " " + name;
    this.habits = world.scenario().habits();
  }

  @Override
  String client() {
    return client;
  }

  @Override
  void begin() {
    super.begin();
    if (disk != null) {
      kept = disk.open(this::synced);
      recover();
    }
    open();
  }

  @Override
  void die() {
    if (isAlive() && session != null && dice.perMille(200)) {
      session.leave();
    }
    super.die();
    if (disk != null) {
      disk.crash();
    }
  }

  // Opening.

  /** What the journal does not hold was never sent, and is asked for under another tag. */
  private void recover() {
    Map<String, Wish> before = new LinkedHashMap<>(application.asked());
    for (Map.Entry<String, Wish> asked : before.entrySet()) {
      if (kept.entry(asked.getKey()) == null) {
        application.finish(asked.getKey());
        application.want(asked.getValue());
      }
    }
    List<Recovered.Entry> entries = new ArrayList<>();
    for (JournalState.Entry entry : kept.entries()) {
      boolean undecided = entry.decision() == null && entry.left() == null;
      entries.add(
          new Recovered.Entry(
              entry.tag(), numberOf(before.get(entry.tag())), entry.sequence(), undecided));
      if (!undecided) {
        untaken.put(entry.tag(), entry.decision());
      }
    }
    world.trace().note("recover", endpoint(), entries.size(), entries);
    world.auditor().recovered(new Recovered(client, endpoint(), entries));
  }

  private static long numberOf(@Nullable Wish wish) {
    return wish == null ? 0 : wish.number();
  }

  private void open() {
    long nonceHigh = dice.next();
    long nonceLow = dice.next();
    world.auditor().started(new Started(client, endpoint(), kind, nonceHigh, nonceLow));
    open(nonceHigh, nonceLow);
  }

  private void open(long nonceHigh, long nonceLow) {
    SessionPlan plan =
        new SessionPlan(
            kind,
            name,
            dice.perMille(habits.orderedPerMille()),
            dice.perMille(500) ? 0 : dice.between(1, 80),
            nonceHigh,
            nonceLow);
    Actions actions = new Actions();
    ClientSession opened =
        disk == null
            ? new ClientSession(plan, pace, library.around(actions))
            : new ClientSession(plan, pace, library.around(actions), library.around(disk), kept);
    actions.session = opened;
    session = opened;
    closing = false;
    for (SessionRequest request : opened.undecided()) {
      Wish wish = application.asked().get(request.tag());
      if (wish != null) {
        request.attach(wish);
      }
    }
    Timing expected = timing();
    if (expected != null) {
      opened.timing(expected, now());
    }
    opened.start(now());
    wake();
  }

  private void synced(long mark) {
    if (session != null) {
      session.synced(mark, now());
      wake();
    }
  }

  // Working.

  @Override
  void beat() {
    ClientSession current = session;
    if (current == null) {
      return;
    }
    takeReplies(current);
    if (current.isEnded()) {
      if (now() >= breakUntilMillis) {
        open();
      }
      return;
    }
    if (current.isOpen()) {
      work(current);
    }
    wake();
  }

  private void work(ClientSession current) {
    for (int i = 0; i < MOST_WISHES_PER_BEAT && wishes(current); i++) {
      submit(current);
    }
    late.removeIf(request -> request.isDecided() || doSomethingAbout(current, request));
    if (!world.finishing()) {
      oddities(current);
    }
  }

  private void takeReplies(ClientSession current) {
    for (String tag : List.copyOf(untaken.keySet())) {
      if (dice.perMille(habits.takePerMille())) {
        Decision decision = untaken.remove(tag);
        Wish wish = application.finish(tag);
        if (wish != null && decision != null) {
          askAgainIfNever(wish, decision);
        }
        world.auditor().taken(new Taken(client, tag));
        current.taken(tag, now());
      }
    }
  }

  private boolean wishes(ClientSession current) {
    return !world.finishing()
        && now() >= quietUntilMillis
        && current.undecided().size() < habits.pipeline()
        && (application.wantsMore() || dice.perMille(habits.wishPerMille()));
  }

  private void submit(ClientSession current) {
    Wish again = application.next();
    Wish wish = again == null ? newWish() : again;
    Bytes payload = payload(wish);
    String tag = disk == null ? "" : application.ask(wish);
    long sequence = current.nextSequence();
    long deadline =
        dice.perMille(habits.deadlinePerMille()) ? now() + dice.between(50, 3_000) : Long.MAX_VALUE;
    world.auditor().submitted(new Submitted(client, endpoint(), sequence, tag, wish.number()));
    current.submit(payload, fingerprint(payload), tag, wish, deadline, now());
  }

  /** A caller whose wait is over abandons, asks, or just lets it be (C2). */
  private boolean doSomethingAbout(ClientSession current, SessionRequest request) {
    switch (dice.below(4)) {
      case 0 -> current.abandon(request, now());
      case 1 -> askOutcome(current, request.sequence());
      case 2 -> {
        return false;
      }
      default -> {
        // Somebody else may ask for it one day.
      }
    }
    return true;
  }

  private void askOutcome(ClientSession current, long sequence) {
    Request.Address address = current.address();
    if (address != null) {
      long life = kind == ClientKind.AUTO ? address.incarnation() : 0;
      ask(new Id.InSession(address.session(), life, sequence), address);
    }
  }

  /** What clients do now and then: give up, ask, have nothing to do, leave. */
  private void oddities(ClientSession current) {
    if (dice.perMille(habits.abandonPerMille())) {
      List<SessionRequest> undecided = current.undecided();
      if (!undecided.isEmpty()) {
        current.abandon(dice.pick(undecided), now());
      }
    }
    if (dice.perMille(habits.askPerMille())) {
      askOutcome(current, current.watermark() + dice.below(4));
    }
    if (dice.perMille(habits.replayPerMille())) {
      straggle();
    }
    if (dice.perMille(habits.quietPerMille())) {
      // Has nothing to ask for a while, and must not be forgotten for it.
      quietUntilMillis = now() + dice.between(1_000, 40_000);
    }
    if (dice.perMille(habits.closePerMille())) {
      closing = true;
      current.close(now());
    }
  }

  private void askAgainIfNever(Wish wish, Decision decision) {
    boolean never =
        decision instanceof Decision.Refused refused
            && refused.executed() == Refusal.Executed.NEVER;
    if (never && !isTooLarge(decision)) {
      application.want(wish);
    }
  }

  private static boolean isTooLarge(Decision decision) {
    return decision instanceof Decision.Refused refused && refused.refusal() == Refusal.TOO_LARGE;
  }

  // What the library does.

  private final class Actions implements SessionActions {
    private @Nullable ClientSession session;

    private ClientSession mine() {
      if (session == null) {
        throw new IllegalStateException("a session acts before it is made");
      }
      return session;
    }

    @Override
    public void send(SessionRequest asked, int copy, Request request) {
      transmit(mine(), asked, copy, asked.isPatient(), request);
    }

    @Override
    public void read(SessionRequest asked, int copy, ClientKind kind, String name) {
      transmit(mine(), asked, copy, new Question.SessionNamed(kind, name));
    }

    @Override
    public void opened(Decision.Opened opened, Request.Address address) {
      world.trace().note("opened", endpoint(), address.incarnation(), null);
      world.auditor().opened(new Opened(client, endpoint(), address));
    }

    @Override
    public void decided(SessionRequest request, Decision decision) {
      Wish wish = (Wish) request.attachment();
      world.trace().note("tell", endpoint(), Trace.hashOf(decision), decision);
      world
          .auditor()
          .tells(
              new Tells(
                  client,
                  endpoint(),
                  mine().address(),
                  request.sequence(),
                  numberOf(wish),
                  decision));
      if (disk != null) {
        untaken.put(request.tag(), decision);
      } else if (wish != null) {
        askAgainIfNever(wish, decision);
      }
    }

    @Override
    public void waitEnded(SessionRequest request) {
      world.trace().note("wait ended", endpoint(), request.sequence(), null);
      late.add(request);
    }

    @Override
    public void ended(End end, List<SessionRequest> unknown) {
      world.trace().note("ended", endpoint(), unknown.size(), end);
      List<Long> sequences = unknown.stream().map(SessionRequest::sequence).toList();
      world.auditor().over(new Over(client, endpoint(), mine().address(), end, sequences));
      late.clear();
      breakUntilMillis = now() + dice.between(0, LONGEST_BREAK_MILLIS);
      if (end instanceof End.Lost) {
        for (SessionRequest request : unknown) {
          if (disk != null) {
            untaken.put(request.tag(), null);
          }
          if (library.asksAgainAfterLoss() && request.attachment() instanceof Wish wish) {
            application.want(wish);
          }
        }
      }
    }
  }

  @Override
  void answered(Sent copy, Answer answer, long nowMillis) {
    if (answer instanceof Answer.SessionTold told) {
      long current = told.session() == null ? 0 : told.session().incarnation();
      world.auditor().read(new Read(client, endpoint(), current, told.clusterTag()));
    }
    SessionRequest asked = (SessionRequest) copy.asked;
    ClientSession asking = (ClientSession) copy.logic;
    Answer heard = library.heard(asked, copy.copy, answer);
    if (heard != null) {
      asking.answered(asked, copy.copy, heard, nowMillis);
    }
    if (library.opensAgainByItself() && asking == session && asking.isEnded() && !closing) {
      open(dice.next(), dice.next());
    }
  }

  @Override
  void rerouted(long nowMillis) {
    if (session != null) {
      session.rerouted(nowMillis);
    }
  }

  @Override
  void timing(Timing timing, long nowMillis) {
    if (session != null) {
      session.timing(timing, nowMillis);
    }
  }

  /** The session that this client has open, if a node could tell it something; null if not. */
  @Nullable ClientSession idleSession() {
    return session != null && session.isOpen() && isAlive() && isInTouch() ? session : null;
  }

  @Override
  void tick(long nowMillis) {
    if (session != null) {
      session.tick(nowMillis);
    }
  }

  @Override
  long dueMillis() {
    return session == null ? Long.MAX_VALUE : session.wakeMillis();
  }

  @Override
  void decided(Request request, Decision decision, long clusterTag) {}

  @Override
  List<String> undecided() {
    List<String> undecided = new ArrayList<>();
    if (session != null) {
      String who = kind + " " + name + " at " + endpoint() + " ";
      for (SessionRequest request : session.undecided()) {
        undecided.add(who + session.address() + " waits for " + request);
      }
      if (closing && !session.isEnded()) {
        undecided.add(who + session.address() + " waits for its close");
      }
    }
    return undecided;
  }
}
