package io.onceward.client;

import io.onceward.client.session.Asking;
import io.onceward.client.session.LeaderSearch;
import io.onceward.client.session.Pace;
import io.onceward.client.transport.HostAndPort;
import io.onceward.client.transport.Transport;
import io.onceward.wire.Answer;
import io.onceward.wire.Member;
import io.onceward.wire.NodeStatus;
import io.onceward.wire.Question;
import io.onceward.wire.Timing;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as a client sees it: one connection to each node that it speaks to, and which of them
 * leads. When the leader's connection ends, everyone goes another way at once (C4).
 */
final class Nodes {
  private static final long PROBE_PAUSE_MILLIS = 50;

  private final UnaryOperator<String> reachedAt;
  private final Transport transport;
  private final Pace pace;
  private final @Nullable Executor callbacks;
  private final Alarms alarms;
  private final Set<Speaker> speakers = ConcurrentHashMap.newKeySet();
  private final Troubles troubles;
  private final List<String> configured;

  /** Where everything goes; null while nobody is known to lead. */
  private volatile @Nullable Connection leader;

  /** What the node that leads, or led last, expects of idle clients. */
  private volatile Timing timing = Timing.INITIAL;

  private volatile boolean closed;

  final LongAdder copies = new LongAdder();
  final LongAdder resent = new LongAdder();
  final AtomicLong connectionsLost = new AtomicLong();
  final AtomicLong leadersFound = new AtomicLong();

  // On the transport's thread.
  private final Map<String, Connection> connections = new LinkedHashMap<>();
  private final LeaderSearch search;
  private final OneCluster cluster = new OneCluster();
  private final Probe probe = new Probe();
  private final Alarms.Alarm searchAlarm = new Alarms.Alarm(this::searchOn);
  private int corks;

  Nodes(
      List<String> addresses,
      UnaryOperator<String> reachedAt,
      Transport transport,
      Pace pace,
      @Nullable Executor callbacks) {
    this.reachedAt = reachedAt;
    this.configured = List.copyOf(addresses);
    this.troubles = new Troubles(configured);
    this.transport = transport;
    this.pace = pace;
    this.callbacks = callbacks;
    this.alarms = new Alarms(transport, this::nowMillis);
    this.search =
        new LeaderSearch(
            addresses,
            PROBE_PAUSE_MILLIS,
            new LeaderSearch.Actions() {
              @Override
              public void probe(String address) {
                Connection to = connection(address);
                to.add(probe.of(address), nowMillis());
                to.flush();
              }

              @Override
              public void follow(String address) {
                Nodes.this.follow(address);
              }
            });
  }

  void start() {
    transport.execute(
        () -> {
          search.search(nowMillis());
          searchOn(nowMillis());
        });
  }

  /** Milliseconds of a clock that does not go back. */
  long nowMillis() {
    return System.nanoTime() / 1_000_000;
  }

  Alarms alarms() {
    return alarms;
  }

  Pace pace() {
    return pace;
  }

  Timing timing() {
    return timing;
  }

  List<String> configured() {
    return configured;
  }

  boolean isTransportThread() {
    return transport.isTransportThread();
  }

  boolean hasLeader() {
    return leader != null;
  }

  /** What is wrong with each node that could not be reached last time, for people. */
  String troubles() {
    return troubles.ofConfigured();
  }

  String trouble(String address) {
    return troubles.of(address);
  }

  // ---- speakers, any thread -------------------------------------------------------------------

  void add(Speaker speaker) {
    speakers.add(speaker);
  }

  void remove(Speaker speaker) {
    speakers.remove(speaker);
    speaker.forgetAlarm();
  }

  /**
   * Asks the leader, inside an event of the speaker. If nobody leads just now, or not any more, the
   * speaker is rerouted later.
   *
   * @return whether the copy is under way, or another one for it
   */
  Connection.Added ask(Asked asked) {
    Connection to = leader;
    return to == null
        ? Connection.Added.DEAD
        : count(to.add(asked, asked.speaker.nowMillis), asked);
  }

  private Connection.Added count(Connection.Added added, Asked asked) {
    if (added == Connection.Added.NEW) {
      copies.increment();
      if (asked.copy > 1) {
        resent.increment();
      }
    }
    return added;
  }

  /** Asks a certain node, leading or not. */
  void askAt(String address, Asked asked) {
    transport.execute(
        () -> {
          if (!closed) {
            Connection to = connection(address);
            count(to.add(asked, nowMillis()), asked);
            to.flush();
          }
        });
  }

  /** Lets what was asked leave, if it does not do so anyway. */
  void flush() {
    if (transport.isTransportThread() && corks > 0) {
      return;
    }
    Connection to = leader;
    if (to != null) {
      to.flush();
    }
  }

  /** Callers hear it, whatever their executor does: decided futures must complete (C6). */
  void tell(List<Told> news) {
    if (callbacks == null) {
      tellAll(news);
      return;
    }
    AtomicBoolean begun = new AtomicBoolean();
    Runnable telling =
        () -> {
          if (begun.compareAndSet(false, true)) {
            tellAll(news);
          }
        };
    try {
      callbacks.execute(telling);
    } catch (RejectedExecutionException e) {
      telling.run();
    } catch (RuntimeException | Error e) {
      telling.run();
      Uncaught.report(e);
    }
  }

  private static void tellAll(List<Told> news) {
    for (Told each : news) {
      try {
        each.tell();
      } catch (RuntimeException | Error e) {
        Uncaught.report(e);
      }
    }
  }

  // ---- the transport's thread -----------------------------------------------------------------

  /** What this thread asks from now on leaves only with {@link #uncork}, as one message. */
  void cork() {
    corks++;
  }

  void uncork() {
    if (--corks == 0) {
      for (Connection connection : List.copyOf(connections.values())) {
        connection.flush();
      }
    }
  }

  private Connection connection(String address) {
    Connection connection = connections.get(address);
    if (connection == null) {
      connection = new Connection(address, this, transport, pace);
      connections.put(address, connection);
      connection.open();
    }
    return connection;
  }

  private void searchOn(long now) {
    search.tick(now);
    alarms.wakeBy(searchAlarm, search.wakeMillis());
  }

  private void follow(String address) {
    Connection found = connections.get(address);
    if (found == null) {
      return;
    }
    leadersFound.incrementAndGet();
    leader = found;
    troubles.clear();
    cork();
    try {
      Timing told = found.timing();
      if (told != null) {
        adopt(told);
      }
      for (Speaker speaker : speakers) {
        handle(speaker, speaker::rerouted);
      }
    } finally {
      uncork();
    }
  }

  /** A node says what it expects of idle clients; the one that leads is believed. */
  void told(Connection from, Timing expected) {
    if (from == leader) {
      adopt(expected);
    }
  }

  private void adopt(Timing expected) {
    if (expected.equals(timing)) {
      return;
    }
    timing = expected;
    for (Speaker speaker : speakers) {
      handle(speaker, () -> speaker.timing(expected));
    }
  }

  /** One speaker that fails does not keep the others from going another way. */
  private static void handle(Speaker speaker, Runnable event) {
    try {
      speaker.enter();
      try {
        event.run();
      } finally {
        speaker.exit();
      }
    } catch (RuntimeException | Error e) {
      Uncaught.report(e);
    }
  }

  /** Where a node is reached that another one names; empty if nobody can be reached there. */
  private String reachable(String told) {
    if (told.isEmpty()) {
      return "";
    }
    try {
      String address = reachedAt.apply(told);
      return HostAndPort.flaw(address).isEmpty() ? address : "";
    } catch (RuntimeException e) {
      Uncaught.report(e);
      return "";
    }
  }

  /** A node says that it does not lead. */
  void denied(Connection from, String hint, long now) {
    if (from == leader) {
      leader = null;
      troubles.put(from.address(), "does not lead");
      search.denied(from.address(), reachable(hint), now);
      searchOn(now);
    }
  }

  /** Gives the leader's connection up if it has not answered for too long. */
  void leaveSilentLeader(long now) {
    Connection to = leader;
    if (to != null) {
      to.closeIfSilent(now);
    }
  }

  /** A connection is dead. */
  void closed(Connection connection, String reason, List<Asked> unanswered) {
    connections.remove(connection.address(), connection);
    connectionsLost.incrementAndGet();
    troubles.put(connection.address(), reason);
    if (leader == connection) {
      leader = null;
    }
    if (closed) {
      return;
    }
    cork();
    try {
      for (Asked copy : unanswered) {
        tellLost(copy);
      }
      search.failed(connection.address(), nowMillis());
      searchOn(nowMillis());
    } finally {
      uncork();
    }
  }

  /** A copy could not be written; its connection lives on. */
  void lost(Connection connection, Asked copy) {
    if (closed) {
      return;
    }
    if (copy.speaker == probe) {
      search.failed(connection.address(), nowMillis());
      searchOn(nowMillis());
    } else {
      tellLost(copy);
    }
  }

  private static void tellLost(Asked copy) {
    if (copy.speaker instanceof Speaker.Heeding speaker) {
      handle(speaker, () -> speaker.lost(copy.what, copy.copy, copy.left));
    }
  }

  /** Ends all connections; nobody is told anything any more. */
  void close() {
    closed = true;
    Runnable end =
        () -> {
          for (Connection connection : List.copyOf(connections.values())) {
            connection.close("the client is closed");
          }
        };
    if (transport.isTransportThread()) {
      end.run();
    } else {
      transport.execute(end);
    }
    transport.close();
  }

  /** Asks nodes whether they lead. */
  private final class Probe extends Speaker {
    /** The question to one node. */
    private static final class OfNode extends Asking {
      final String address;

      OfNode(String address) {
        this.address = address;
      }

      @Override
      public boolean isDecided() {
        return false;
      }
    }

    Probe() {
      super(Nodes.this);
    }

    Asked of(String address) {
      return new Asked(
          this,
          new OfNode(address),
          1,
          Asked.Wait.USUAL,
          Question.Status.class,
          () -> new Question.Status(false));
    }

    @Override
    void answered(Object asked, int copy, Answer answer) {
      String address = ((OfNode) asked).address;
      if (answer instanceof Answer.StatusTold told) {
        NodeStatus status = told.status();
        boolean leads = status.role().equalsIgnoreCase("leader");
        String flaw = leads ? cluster.flawOfLeader(status.clusterId()) : "is " + status.role();
        if (flaw.isEmpty()) {
          search.answered(address, true, status.term(), "", nowMillis);
        } else {
          troubles.put(address, flaw);
          search.answered(address, false, 0, leads ? "" : leaderOf(status), nowMillis);
        }
      } else {
        troubles.put(address, "answers " + answer);
        search.answered(address, false, 0, "", nowMillis);
      }
      searchOn(nowMillis);
    }

    private String leaderOf(NodeStatus status) {
      for (Member member : status.members()) {
        if (member.id().equals(status.leader())) {
          return reachable(member.clientAddress());
        }
      }
      return "";
    }

    @Override
    void rerouted() {}

    @Override
    void tick() {}

    @Override
    long wakeMillis() {
      return Long.MAX_VALUE;
    }
  }
}
