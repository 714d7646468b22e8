package io.onceward.testkit.audit;

import io.onceward.Bytes;
import io.onceward.Scope;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.testkit.audit.DoorEvents.Arrived;
import io.onceward.testkit.audit.DoorEvents.Gone;
import io.onceward.testkit.audit.DoorEvents.Proposed;
import io.onceward.testkit.audit.DoorEvents.Returned;
import io.onceward.wire.Question;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A door lets requests into the log in the order in which they came, so that a session's pipeline
 * arrives as it was sent (S6), and lets in nothing that nobody asked. Keep-alives wait for company
 * and have no place in the queue, nor has what the door logs on its own account.
 */
public final class FirstComeFirstServed extends Invariant {
  private record Waiting(long visit, String principal, Bytes frame) {}

  private static final class Queue {
    final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    long lastServed;
  }

  private static final byte KEEP_ALIVE =
      RequestCodec.encode(new Request.KeepAlive(new Request.Address(0, 0, 0), 1))[0];
  private static final byte ACKNOWLEDGE =
      RequestCodec.encode(new Request.Acknowledge(Scope.NONE, List.of()))[0];

  private final Map<Long, Queue> queues = new HashMap<>();

  private Queue queue(long door) {
    return queues.computeIfAbsent(door, number -> new Queue());
  }

  @Override
  protected void arrived(Arrived arrival) {
    if (arrival.question() instanceof Question.Logged logged && !isExempt(logged.frame())) {
      queue(arrival.door())
          .waiting
          .add(new Waiting(arrival.visit(), arrival.principal(), logged.frame()));
    }
  }

  private static boolean isExempt(Bytes frame) {
    byte type = frame.at(0);
    return type == KEEP_ALIVE || type == ACKNOWLEDGE || OwnWords.isOne(frame);
  }

  @Override
  protected void gone(Gone door) {
    queues.remove(door.door());
  }

  /** Mostly it is the one that came last; who was served is not in the queue any more. */
  @Override
  protected void returned(Returned answer) {
    ArrayDeque<Waiting> waiting = queue(answer.door()).waiting;
    Waiting last = waiting.peekLast();
    if (last != null && last.visit() == answer.visit()) {
      waiting.removeLast();
    } else {
      waiting.removeIf(one -> one.visit() == answer.visit());
    }
  }

  @Override
  protected void proposed(Proposed proposed) {
    Queue queue = queue(proposed.door());
    for (LogEntry.Proposal proposal : proposed.entry().proposals()) {
      if (!isExempt(proposal.frame())) {
        Waiting served = take(queue.waiting, proposal);
        check(served != null, "logged what nobody asked", proposal);
        if (served != null) {
          check(served.visit() > queue.lastServed, "a later one came first", proposal);
          queue.lastServed = served.visit();
        }
      }
    }
  }

  private static @Nullable Waiting take(ArrayDeque<Waiting> waiting, LogEntry.Proposal proposal) {
    for (Iterator<Waiting> each = waiting.iterator(); each.hasNext(); ) {
      Waiting one = each.next();
      if (one.frame().equals(proposal.frame()) && one.principal().equals(proposal.principal())) {
        each.remove();
        return one;
      }
    }
    return null;
  }
}
