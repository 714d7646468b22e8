package io.onceward.testkit.world;

import io.onceward.client.session.LeaderSearch;
import io.onceward.client.session.Pace;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.ClientEvents.Sends;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import io.onceward.wire.Timing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A process that uses the client library. It runs the logic that ships: brings it answers and the
 * time, sends what it wants sent, and looks for the leader with the library's own search. It has
 * one connection at a time; when that breaks or is silent for too long it makes another (C4), and
 * what the old one still brings is heard or not, as it happens.
 */
abstract class LibraryProcess extends Caller implements LeaderSearch.Actions {
  private static final int MOST_RECENT = 16;
  private static final long MOST_LATE_MILLIS = 15;

  /** A stream sends again what got lost until it arrives. */
  static final long STREAM_RETRY_MILLIS = 200;

  final Library library;
  final Pace pace;
  private final LeaderSearch search;
  private final Map<Long, Sent> sent = new HashMap<>();
  private final List<Sent> recent = new ArrayList<>();
  private final Map<String, Long> doors = new HashMap<>();
  private final Map<String, Long> probes = new HashMap<>();
  private int connection;
  private int greeted;
  private @Nullable Timing timing;
  private String as;
  private int unanswered;
  private long silentSinceMillis;
  private long probed;
  private long wakeMillis = Long.MAX_VALUE;

  LibraryProcess(World world, String principal) {
    super(world, principal);
    this.library = world.parts().library();
    this.pace = world.scenario().pace();
    this.as = principal;
    List<String> addresses = new ArrayList<>();
    for (int node = 0; node < world.nodes(); node++) {
      addresses.add(world.address((node + endpoint()) % world.nodes()));
    }
    this.search = new LeaderSearch(addresses, pace.retryDelayMillis(), this);
  }

  /** Who this is to the auditor; processes that share a journal are the same client. */
  abstract String client();

  /** An answer to a copy, as the logic that asked is to hear it. */
  abstract void answered(Sent copy, Answer answer, long nowMillis);

  /** Everything that is under way goes to another node, or by another connection. */
  abstract void rerouted(long nowMillis);

  /** The node that leads tells what it expects of idle clients. */
  void timing(Timing timing, long nowMillis) {}

  abstract void tick(long nowMillis);

  /** When {@link #tick} is due. */
  abstract long dueMillis();

  @Override
  void begin() {
    super.begin();
    search.search(now());
    wake();
  }

  final long now() {
    return world.time().nowMillis();
  }

  // Time.

  /** Sees to it that the logic gets its time when it is due, or a little later. */
  final void wake() {
    long due = Math.min(dueMillis(), search.wakeMillis());
    if (unanswered > 0) {
      due = Math.min(due, silentSinceMillis + pace.answerTimeoutMillis());
    }
    if (due >= wakeMillis || !isAlive()) {
      return;
    }
    wakeMillis = Math.max(due, now()) + dice.below((int) MOST_LATE_MILLIS) + world.restMillis();
    long planned = wakeMillis;
    world
        .time()
        .after(
            planned - now(),
            () -> {
              if (wakeMillis == planned) {
                awake();
              }
            });
  }

  private void awake() {
    wakeMillis = Long.MAX_VALUE;
    if (!isAlive()) {
      return;
    }
    if (!world.resting()) {
      if (unanswered > 0 && now() - silentSinceMillis >= pace.answerTimeoutMillis()) {
        breaks();
      }
      search.tick(now());
      tick(now());
    }
    wake();
  }

  // Whom to ask.

  @Override
  public void probe(String address) {
    long number = ++probed;
    probes.put(address, number);
    Node node = world.node(world.nodeAt(address));
    world.network().send(endpoint(), node.number, () -> probed(node, address, number));
    world.time().after(pace.answerTimeoutMillis(), () -> probeFailed(address, number));
  }

  private void probed(Node node, String address, long number) {
    boolean up = node.isUp();
    boolean leads = up && node.leadership() != null;
    long term = node.disk.term();
    long door = up ? node.doorstep().number() : 0;
    int leader = up ? node.believedLeader() : -1;
    String hint = leader < 0 ? "" : world.address(leader);
    world
        .network()
        .send(
            node.number,
            endpoint(),
            () -> {
              if (!up) {
                probeFailed(address, number);
              } else if (isAlive() && probes.remove(address, number)) {
                doors.put(address, door);
                search.answered(address, leads, term, hint, now());
                wake();
              }
            });
  }

  private void probeFailed(String address, long number) {
    if (isAlive() && probes.remove(address, number)) {
      search.failed(address, now());
      wake();
    }
  }

  @Override
  public void follow(String address) {
    connection++;
    unanswered = 0;
    as = principal();
    target(world.nodeAt(address));
    greet(address, connection);
    rerouted(now());
  }

  /** The question whether the node leads came over the same stream, which a node answers first. */
  private void greet(String address, int number) {
    if (!isAlive() || number != connection || greeted == number) {
      return;
    }
    Node to = world.node(world.nodeAt(address));
    long door = doors.getOrDefault(address, 0L);
    world
        .network()
        .send(
            endpoint(),
            to.number,
            () -> {
              if (to.isUp() && to.doorstep().number() == door && number == connection) {
                greeted = number;
                to.doorstep().greet(endpoint(), number, as);
              }
            });
    world
        .time()
        .after(Math.max(STREAM_RETRY_MILLIS, world.restMillis()), () -> greet(address, number));
  }

  /** What the node that leads, or led last, expects of idle clients; null if it is not known. */
  final @Nullable Timing timing() {
    return timing;
  }

  @Override
  final void timing(int number, Timing told) {
    Timing heard = isAlive() && number == connection ? library.heard(told) : null;
    if (heard != null) {
      timing = heard;
      timing(heard, now());
      wake();
    }
  }

  /**
   * Whether its stream leads to a process that still runs. After a power cut it may not, and a
   * client that says nothing does not notice.
   */
  final boolean isInTouch() {
    String leader = search.leader();
    if (leader == null) {
      return false;
    }
    Node node = world.node(world.nodeAt(leader));
    return node.isUp() && node.doorstep().number() == doors.getOrDefault(leader, 0L);
  }

  private void breaks() {
    String leader = search.leader();
    unanswered = 0;
    if (leader != null) {
      world.trace().note("break", endpoint(), connection, null);
      search.failed(leader, now());
    }
  }

  // Sending.

  final void transmit(Object logic, Object asked, int copy, boolean patient, Request request) {
    Ask.Copy framed = Ask.Copy.of(endpoint(), nextTicket(), as, request);
    world.overheard(framed);
    world.trace().note("send", endpoint(), framed.ticket(), request);
    world.auditor().sends(new Sends(client(), endpoint(), request));
    Sent now = new Sent(logic, asked, copy, connection, patient, framed);
    remember(now);
    transmit(now, framed.ticket(), new Question.Logged(framed.frame()));
  }

  final void transmit(Object logic, Object asked, int copy, Question question) {
    transmit(new Sent(logic, asked, copy, connection, false, null), nextTicket(), question);
  }

  /** Without a connection nothing is sent; it will be when there is one. */
  private void transmit(Sent copy, long ticket, Question question) {
    String leader = search.leader();
    if (leader == null) {
      return;
    }
    sent.put(ticket, copy);
    if (!copy.patient && unanswered++ == 0) {
      silentSinceMillis = now();
    }
    deliver(leader, copy.connection, as, ticket, question);
  }

  private void deliver(String address, int number, String principal, long ticket, Question asked) {
    Node to = world.node(world.nodeAt(address));
    long door = doors.getOrDefault(address, 0L);
    world
        .network()
        .send(
            endpoint(),
            to.number,
            () -> {
              if (to.isUp() && to.doorstep().number() == door) {
                to.doorstep().arrive(endpoint(), number, principal, ticket, asked);
              } else {
                world.network().send(to.number, endpoint(), () -> broke(number));
              }
            });
  }

  /** The node's process is not the one that this connection was made to. */
  private void broke(int number) {
    if (isAlive() && number == connection) {
      breaks();
      wake();
    }
  }

  private void remember(Sent copy) {
    if (recent.size() < MOST_RECENT) {
      recent.add(copy);
    } else {
      recent.set(dice.below(MOST_RECENT), copy);
    }
  }

  /** Some copy of long ago arrives only now. */
  final void straggle() {
    if (!recent.isEmpty()) {
      Ask.Copy copy = dice.pick(recent).request;
      if (copy != null) {
        send(
            new Ask.Copy(
                endpoint(), copy.ticket(), copy.principal(), copy.request(), copy.frame()));
      }
    }
  }

  // Hearing.

  @Override
  void hear(int number, long ticket, Heard heard) {
    Sent copy = sent.get(ticket);
    if (copy == null) {
      super.hear(number, ticket, heard);
      return;
    }
    boolean current = copy.connection == connection;
    if (!isAlive() || !current && dice.perMille(500)) {
      return;
    }
    Answer answer = heard.answer();
    if (answer instanceof Answer.Decided told && copy.request != null) {
      world.answered(copy.request, told, heard.decidedPosition());
    }
    settle(copy, current);
    String leader = search.leader();
    if (current && leader != null && answer instanceof Answer.NotLeader told) {
      search.denied(leader, told.leader(), now());
    }
    answered(library.meant(copy, recent), answer, now());
    wake();
  }

  private void settle(Sent copy, boolean current) {
    if (current && !copy.patient && !copy.answered) {
      unanswered--;
      silentSinceMillis = now();
    }
    copy.answered = true;
  }
}
