package io.onceward.client;

import io.onceward.client.Tickets.Asked;
import io.onceward.client.session.LeaderSearch;
import io.onceward.client.session.Pace;
import io.onceward.client.transport.Transport;
import io.onceward.wire.Answer;
import io.onceward.wire.Member;
import io.onceward.wire.NodeStatus;
import io.onceward.wire.Question;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
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
  private final Map<String, String> troubles = new ConcurrentHashMap<>();
  private final List<String> configured;

  /** Where everything goes; null while nobody is known to lead. */
  private volatile @Nullable Connection leader;

  private volatile boolean closed;

  final LongAdder copies = new LongAdder();
  final LongAdder resent = new LongAdder();
  final AtomicLong connectionsLost = new AtomicLong();
  final AtomicLong leadersFound = new AtomicLong();

  // On the transport's thread.
  private final Map<String, Connection> connections = new LinkedHashMap<>();
  private final LeaderSearch search;
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
                ask(connection(address), probe, address, new Question.Status(false));
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
    StringBuilder text = new StringBuilder();
    for (String address : configured) {
      text.append(text.length() == 0 ? "" : "; ").append(trouble(address));
    }
    return text.toString();
  }

  String trouble(String address) {
    return address + ": " + troubles.getOrDefault(address, "no answer");
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
   * Asks the leader. If nobody leads just now, or not any more, the speaker is rerouted later; then
   * this copy goes nowhere, and the answer is false.
   */
  boolean ask(Speaker speaker, Object what, int copy, boolean patient, Question question) {
    Connection to = leader;
    copies.increment();
    if (copy > 1) {
      resent.increment();
    }
    return to != null
        && to.add(new Asked(speaker, what, copy, patient), question, speaker.nowMillis);
  }

  /** Asks a certain node, leading or not. */
  void askAt(String address, Speaker speaker, Object what, int copy, Question question) {
    transport.execute(
        () -> {
          if (!closed) {
            Connection to = connection(address);
            to.add(new Asked(speaker, what, copy, false), question, nowMillis());
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

  void tell(List<Told> news) {
    if (callbacks != null) {
      try {
        callbacks.execute(() -> tellAll(news));
        return;
      } catch (RejectedExecutionException e) {
        // Whoever waits must hear it all the same.
      }
    }
    tellAll(news);
  }

  private static void tellAll(List<Told> news) {
    for (Told each : news) {
      each.tell();
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

  private void ask(Connection to, Speaker speaker, Object what, Question question) {
    to.add(new Asked(speaker, what, 1, false), question, nowMillis());
    to.flush();
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
    leader = found;
    leadersFound.incrementAndGet();
    troubles.clear();
    cork();
    try {
      for (Speaker speaker : speakers) {
        speaker.enter();
        try {
          speaker.rerouted();
        } finally {
          speaker.exit();
        }
      }
    } finally {
      uncork();
    }
  }

  /** A node says that it does not lead. */
  void denied(Connection from, String hint, long now) {
    if (from == leader) {
      leader = null;
      troubles.put(from.address(), "does not lead");
      search.denied(from.address(), hint.isEmpty() ? "" : reachedAt.apply(hint), now);
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
        if (copy.speaker() instanceof Speaker.Heeding speaker) {
          speaker.enter();
          try {
            speaker.lost(copy.what(), copy.copy());
          } finally {
            speaker.exit();
          }
        }
      }
      search.failed(connection.address(), nowMillis());
      searchOn(nowMillis());
    } finally {
      uncork();
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
    Probe() {
      super(Nodes.this);
    }

    @Override
    void answered(Object asked, int copy, Answer answer) {
      String address = (String) asked;
      if (answer instanceof Answer.StatusTold told) {
        NodeStatus status = told.status();
        boolean leads = status.role().equalsIgnoreCase("leader");
        if (!leads) {
          troubles.put(address, "is " + status.role());
        }
        search.answered(address, leads, status.term(), leaderOf(status), nowMillis);
      } else {
        troubles.put(address, "answers " + answer);
        search.answered(address, false, 0, "", nowMillis);
      }
      searchOn(nowMillis);
    }

    private String leaderOf(NodeStatus status) {
      for (Member member : status.members()) {
        if (member.id().equals(status.leader())) {
          return reachedAt.apply(member.clientAddress());
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
