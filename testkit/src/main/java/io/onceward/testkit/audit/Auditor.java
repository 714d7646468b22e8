package io.onceward.testkit.audit;

import io.onceward.DamagedException;
import io.onceward.Decision;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.testkit.audit.ClientEvents.KeySubmitted;
import io.onceward.testkit.audit.ClientEvents.KeyTaken;
import io.onceward.testkit.audit.ClientEvents.KeyTells;
import io.onceward.testkit.audit.ClientEvents.Opened;
import io.onceward.testkit.audit.ClientEvents.Over;
import io.onceward.testkit.audit.ClientEvents.Read;
import io.onceward.testkit.audit.ClientEvents.Recovered;
import io.onceward.testkit.audit.ClientEvents.Sends;
import io.onceward.testkit.audit.ClientEvents.Started;
import io.onceward.testkit.audit.ClientEvents.Submitted;
import io.onceward.testkit.audit.ClientEvents.Taken;
import io.onceward.testkit.audit.ClientEvents.Tells;
import io.onceward.testkit.audit.DoorEvents.Arrived;
import io.onceward.testkit.audit.DoorEvents.Built;
import io.onceward.testkit.audit.DoorEvents.Gone;
import io.onceward.testkit.audit.DoorEvents.Looked;
import io.onceward.testkit.audit.DoorEvents.Proposed;
import io.onceward.testkit.audit.DoorEvents.Returned;
import io.onceward.testkit.audit.DoorEvents.Settled;
import io.onceward.testkit.audit.Events.Answered;
import io.onceward.testkit.audit.Events.Compared;
import io.onceward.testkit.audit.Events.Digested;
import io.onceward.testkit.audit.Events.Healed;
import io.onceward.testkit.audit.Events.Horizon;
import io.onceward.testkit.audit.Events.Idled;
import io.onceward.testkit.audit.Events.Inventory;
import io.onceward.testkit.audit.Events.Queried;
import io.onceward.testkit.audit.Events.Shown;
import io.onceward.testkit.audit.Events.Told;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Hears every event of a run and passes it to the invariants, in the order of their list. What the
 * log decides is judged once, when the first node applies it; what later nodes do is only compared.
 */
public final class Auditor {
  private final Ledger ledger;
  private final List<Invariant> invariants;
  private final ToLongFunction<Request> wishOf;

  /**
   * An auditor for one run.
   *
   * @param ledger the facts that the invariants read
   * @param wishOf reads the number of the wish from a request's command; 0 if it has none
   */
  public Auditor(Ledger ledger, List<Invariant> invariants, ToLongFunction<Request> wishOf) {
    this.ledger = ledger;
    this.invariants = List.copyOf(invariants);
    this.wishOf = wishOf;
  }

  /** Every named invariant except those that need a model. */
  public static List<Invariant> namedInvariants(Ledger ledger) {
    List<Invariant> named = new ArrayList<>();
    named.add(new ExecutedAtMostOnce(ledger));
    named.add(new AckedIsNeverLost(ledger));
    named.add(new RepliesNeverDiffer(ledger));
    named.add(new NoForeignReply(ledger));
    named.add(new OutcomesAreOnesOwn());
    named.add(new MismatchHasNoEffect(ledger));
    named.add(new ExpiredNeverExecutes(ledger));
    named.add(new WatermarkNeverRegresses(ledger));
    named.add(new SupersededNeverExecutes(ledger));
    named.add(new ForgottenNeverExecutes(ledger));
    named.add(new LogTimeNeverRegresses(ledger));
    named.add(new NeverMeansNever(ledger));
    named.add(new ReplicasAgree());
    named.add(new SnapshotEqualsReplay());
    named.add(new DifferencesAreNoticed());
    named.add(new MemoryWithinBound(ledger));
    named.add(new ServicesWithinBound(ledger));
    named.add(new EveryNameMeansItsPrincipal(ledger));
    named.add(new OrderIsKept(ledger));
    named.add(new OutcomesAreTrue(ledger));
    named.add(new EveryoneIsDecidedAfterHealing());
    named.add(new IdleSessionsAreKept());
    named.add(new TheDoorRefusesWithReason(ledger));
    named.add(new AFullDoorLogsNothingNew(ledger));
    named.add(new TheDoorKeepsItsLimits());
    named.add(new FirstComeFirstServed());
    named.add(new EveryQuestionIsAnswered());
    named.add(new TimePassesInTheLog());
    named.add(new StampsAreSteady());
    named.add(new AnIdleDoorLetsIn());
    named.add(new ClientTellsTheTruth(ledger));
    named.add(new EveryCopyAsksTheSame());
    named.add(new OnlyWhatWasToldIsAcknowledged());
    named.add(new JournalLosesNothing());
    named.add(new OpensOnPurpose(ledger));
    return named;
  }

  public Ledger ledger() {
    return ledger;
  }

  /** A node went through one entry of the log. */
  public void applied(int node, long position, long term, byte[] entry, Batch batch) {
    if (position > ledger.position()) {
      judge(position, term, LogEntry.decode(entry), batch);
    }
    for (Invariant invariant : invariants) {
      invariant.applied(node, position, batch);
    }
  }

  private void judge(long position, long term, LogEntry entry, Batch batch) {
    Entered entered = new Entered(position, term, entry.stampMillis(), entry.clusterTag());
    ledger.enter(entered);
    for (Invariant invariant : invariants) {
      invariant.entered(entered);
    }
    List<Decision> decisions = batch.decisions();
    if (decisions.size() != entry.proposals().size()) {
      throw new Violation(
          "EveryCopyIsDecided",
          entry.proposals().size() + " requests at " + position + " were decided " + decisions);
    }
    List<@Nullable Request> requests = new ArrayList<>();
    long[] wishes = new long[decisions.size()];
    for (int ordinal = 0; ordinal < decisions.size(); ordinal++) {
      Request request = request(entry.proposals().get(ordinal));
      requests.add(request);
      wishes[ordinal] = request == null ? 0 : wishOf.applyAsLong(request);
    }
    List<List<Execution>> executions = batch.executionsByCopy(wishes);
    for (int ordinal = 0; ordinal < decisions.size(); ordinal++) {
      String asked = entry.proposals().get(ordinal).principal();
      Judged copy =
          new Judged(
              position,
              ordinal,
              ledger.clock().timeMillis(),
              ledger.clock().ageMillis(),
              asked,
              ledger.resolve(asked),
              requests.get(ordinal),
              wishes[ordinal],
              decisions.get(ordinal),
              executions.get(ordinal));
      for (Invariant invariant : invariants) {
        invariant.judged(copy);
      }
      ledger.judged(copy);
    }
  }

  private static @Nullable Request request(LogEntry.Proposal proposal) {
    try {
      return RequestCodec.decode(proposal.frame());
    } catch (DamagedException unreadable) {
      return null;
    }
  }

  /** A decision reached its caller. */
  public void answered(String principal, Request request, Decision decision, long clusterTag) {
    long wish = wishOf.applyAsLong(request);
    Answered answer = new Answered(ledger.resolve(principal), request, wish, decision, clusterTag);
    for (Invariant invariant : invariants) {
      invariant.answered(answer);
    }
  }

  /** An outcome reached its caller. */
  public void told(Told told) {
    for (Invariant invariant : invariants) {
      invariant.told(told);
    }
  }

  public void shown(Shown state) {
    for (Invariant invariant : invariants) {
      invariant.shown(state);
    }
  }

  public void horizon(Horizon horizon) {
    for (Invariant invariant : invariants) {
      invariant.horizon(horizon);
    }
  }

  public void queried(Queried question) {
    for (Invariant invariant : invariants) {
      invariant.queried(question);
    }
  }

  public void inventory(Inventory inventory) {
    for (Invariant invariant : invariants) {
      invariant.inventory(inventory);
    }
  }

  public void digested(Digested digest) {
    for (Invariant invariant : invariants) {
      invariant.digested(digest);
    }
  }

  public void healed(Healed healed) {
    for (Invariant invariant : invariants) {
      invariant.healed(healed);
    }
  }

  public void compared(Compared node) {
    for (Invariant invariant : invariants) {
      invariant.compared(node);
    }
  }

  public void idled(Idled session) {
    for (Invariant invariant : invariants) {
      invariant.idled(session);
    }
  }

  public void built(Built door) {
    for (Invariant invariant : invariants) {
      invariant.built(door);
    }
  }

  public void arrived(Arrived arrival) {
    for (Invariant invariant : invariants) {
      invariant.arrived(arrival);
    }
  }

  /** A door handed an entry to the log. */
  public void proposed(Proposed entry) {
    for (Invariant invariant : invariants) {
      invariant.proposed(entry);
    }
  }

  public void settled(Settled entry) {
    for (Invariant invariant : invariants) {
      invariant.settled(entry);
    }
  }

  public void looked(Looked look) {
    for (Invariant invariant : invariants) {
      invariant.looked(look);
    }
  }

  public void returned(Returned answer) {
    for (Invariant invariant : invariants) {
      invariant.returned(answer);
    }
  }

  public void gone(Gone door) {
    for (Invariant invariant : invariants) {
      invariant.gone(door);
    }
  }

  public void started(Started event) {
    for (Invariant invariant : invariants) {
      invariant.started(event);
    }
  }

  public void recovered(Recovered event) {
    for (Invariant invariant : invariants) {
      invariant.recovered(event);
    }
  }

  public void read(Read event) {
    for (Invariant invariant : invariants) {
      invariant.read(event);
    }
  }

  public void opened(Opened event) {
    for (Invariant invariant : invariants) {
      invariant.opened(event);
    }
  }

  public void submitted(Submitted event) {
    for (Invariant invariant : invariants) {
      invariant.submitted(event);
    }
  }

  public void sends(Sends event) {
    for (Invariant invariant : invariants) {
      invariant.sends(event);
    }
  }

  public void tells(Tells event) {
    for (Invariant invariant : invariants) {
      invariant.tells(event);
    }
  }

  public void over(Over event) {
    for (Invariant invariant : invariants) {
      invariant.over(event);
    }
  }

  public void taken(Taken event) {
    for (Invariant invariant : invariants) {
      invariant.taken(event);
    }
  }

  public void keySubmitted(KeySubmitted event) {
    for (Invariant invariant : invariants) {
      invariant.keySubmitted(event);
    }
  }

  public void keyTells(KeyTells event) {
    for (Invariant invariant : invariants) {
      invariant.keyTells(event);
    }
  }

  public void keyTaken(KeyTaken event) {
    for (Invariant invariant : invariants) {
      invariant.keyTaken(event);
    }
  }
}
