package io.onceward.testkit.world;

import io.onceward.Decision;
import io.onceward.Outcome;
import io.onceward.Scope;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.Id;
import io.onceward.testkit.world.Ask.Answer;
import io.onceward.testkit.world.DoorPolicy.Twin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where callers meet a leader: it groups what arrives into log entries, lets a retry wait for its
 * twin that is already logged (E4), and answers when the entry is applied. It decides nothing; a
 * caller whose entry was handed to the engine hears a decision of the log, or nothing (O3).
 */
final class Door {
  private record Waiting(int ordinal, @Nullable Twin twin, List<Ask.Copy> copies) {}

  private static final String ENGINE = "engine";

  private final Node node;
  private final World world;
  private final DoorPolicy policy;
  private final TreeMap<Long, List<Waiting>> waiting = new TreeMap<>();
  private final Map<Twin, Waiting> twins = new HashMap<>();
  private List<LogEntry.Proposal> batch = new ArrayList<>();
  private List<Waiting> batchWaiting = new ArrayList<>();
  private boolean flushScheduled;

  Door(Node node, World world, DoorPolicy policy) {
    this.node = node;
    this.world = world;
    this.policy = policy;
  }

  /** A copy of a request arrived. */
  void ask(Ask.Copy copy) {
    if (!node.leads()) {
      send(copy.caller(), copy.ticket(), new Answer.NotLeader(node.believedLeader()));
      return;
    }
    Decision unlogged = policy.withoutLog(copy, node.machine());
    if (unlogged != null) {
      answer(copy, unlogged, 0);
      return;
    }
    Twin twin = world.scenario().coalesces() ? policy.twin(copy) : null;
    Waiting same = twin == null ? null : twins.get(twin);
    if (same != null) {
      same.copies().add(copy);
      return;
    }
    List<Ask.Copy> copies = new ArrayList<>(1);
    copies.add(copy);
    Waiting first = new Waiting(batch.size(), twin, copies);
    if (twin != null) {
      twins.put(twin, first);
    }
    batchWaiting.add(first);
    batch.add(new LogEntry.Proposal(copy.principal(), copy.frame()));
    flushSoon();
  }

  void tick() {
    batch.add(new LogEntry.Proposal(ENGINE, new Request.Tick()));
    flushSoon();
  }

  private void flushSoon() {
    if (!flushScheduled) {
      flushScheduled = true;
      node.later(world.scenario().groupMillis(), this::flush);
    }
  }

  private void flush() {
    flushScheduled = false;
    Leadership leadership = node.leadership();
    if (leadership == null || batch.isEmpty()) {
      return;
    }
    byte[] entry = new LogEntry(0, node.clock.nowMillis(), batch).encode();
    long position = node.disk.last() + 1;
    answerBeforeCommit(position, leadership.term(), entry);
    waiting.put(position, batchWaiting);
    batch = new ArrayList<>();
    batchWaiting = new ArrayList<>();
    leadership.propose(entry);
    if (world.engineRepeats()) {
      node.later(
          world.engineRepeatMillis(),
          () -> {
            Leadership now = node.leadership();
            if (now != null) {
              now.propose(entry);
            }
          });
    }
  }

  private void answerBeforeCommit(long position, long term, byte[] entry) {
    for (Waiting waiter : batchWaiting) {
      for (Ask.Copy copy : waiter.copies()) {
        Decision early =
            policy.beforeCommit(copy, node.machine(), position, term, entry, waiter.ordinal());
        if (early != null) {
          answer(copy, early, 0);
        }
      }
    }
  }

  /** This node applied an entry while leading. */
  void decided(long position, List<Decision> decisions) {
    List<Waiting> waiters = waiting.remove(position);
    if (waiters == null) {
      return;
    }
    for (Waiting waiter : waiters) {
      if (waiter.twin() != null) {
        twins.remove(waiter.twin());
      }
      for (Ask.Copy copy : waiter.copies()) {
        answer(copy, decisions.get(waiter.ordinal()), position);
      }
    }
  }

  /** Another node leads: whoever waits hears nothing and asks again, there. */
  void deposed() {
    for (List<Waiting> waiters : waiting.values()) {
      forget(waiters);
    }
    forget(batchWaiting);
    waiting.clear();
    if (policy.forgetsTwins()) {
      twins.clear();
    }
    batch = new ArrayList<>();
    batchWaiting = new ArrayList<>();
  }

  private void forget(List<Waiting> waiters) {
    for (Waiting waiter : waiters) {
      for (Ask.Copy copy : waiter.copies()) {
        Decision told = policy.whenLost(copy);
        if (told != null) {
          answer(copy, told, 0);
        }
      }
    }
  }

  void ask(Ask.OutcomeQuery query) {
    Leadership leadership = node.leadership();
    if (leadership == null) {
      send(query.caller(), query.ticket(), new Answer.NotLeader(node.believedLeader()));
      return;
    }
    read(
        leadership,
        () -> {
          StateMachine machine = node.machine();
          send(
              query.caller(),
              query.ticket(),
              new Answer.OutcomeTold(outcome(machine, query), machine.position()));
        });
  }

  private void read(Leadership leadership, Runnable serve) {
    if (policy.readsAtOnce()) {
      serve.run();
    } else {
      leadership.read(serve);
    }
  }

  private static Outcome outcome(StateMachine machine, Ask.OutcomeQuery query) {
    if (query.id() instanceof Id.InSession id && query.address() != null) {
      return machine.outcome(query.principal(), query.address(), id.sequence());
    }
    Id.Keyed id = (Id.Keyed) query.id();
    return machine.outcome(query.principal(), new Scope(id.scope()), id.key());
  }

  void ask(Ask.SessionQuery query) {
    Leadership leadership = node.leadership();
    if (leadership == null) {
      send(query.caller(), query.ticket(), new Answer.NotLeader(node.believedLeader()));
      return;
    }
    read(
        leadership,
        () ->
            send(
                query.caller(),
                query.ticket(),
                new Answer.SessionTold(
                    node.machine().session(query.principal(), query.kind(), query.name()),
                    node.machine().clusterId().tag())));
  }

  private void answer(Ask.Copy copy, Decision decision, long position) {
    send(
        copy.caller(),
        copy.ticket(),
        new Answer.Decided(decision, position, node.machine().clusterId().tag()));
  }

  private void send(int caller, long ticket, Answer answer) {
    world.network().send(node.number, caller, () -> world.hear(caller, ticket, answer));
  }
}
