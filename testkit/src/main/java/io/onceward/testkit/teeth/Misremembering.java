package io.onceward.testkit.teeth;

import io.onceward.Decision;
import io.onceward.Frozen;
import io.onceward.replica.LogEntry;
import io.onceward.replica.LogEntry.Proposal;
import io.onceward.replica.Request;
import io.onceward.testkit.world.ReplicaMachine;
import io.onceward.testkit.world.StateMachine;
import io.onceward.testkit.world.WishService;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes real replicas whose snapshots tell a {@link Retelling} of the log. */
final class Misremembering implements StateMachine.Maker {
  private record Entry(long term, LogEntry entry, List<Decision> decisions) {}

  private record Quarantine(long position, int ordinal) {}

  private final Retelling retelling;
  private final TreeMap<Long, Entry> past = new TreeMap<>();
  private final List<Quarantine> quarantines = new ArrayList<>();

  Misremembering(Retelling retelling) {
    this.retelling = retelling;
  }

  @Override
  public StateMachine fresh(StateMachine.Place place) {
    return new Machine(place, ReplicaMachine.MAKER.fresh(place));
  }

  @Override
  public StateMachine restore(StateMachine.Place place, InputStream in) throws IOException {
    return new Machine(place, ReplicaMachine.MAKER.restore(place, in));
  }

  private final class Machine extends Around {
    Machine(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    public void apply(long position, long term, byte[] entry, @Nullable Audience audience) {
      List<Decision> decisions = new ArrayList<>();
      inner.apply(
          position,
          term,
          entry,
          (ordinal, decision) -> {
            decisions.add(decision);
            if (audience != null) {
              audience.decided(ordinal, decision);
            }
          });
      past.putIfAbsent(position, new Entry(term, LogEntry.decode(entry), decisions));
    }

    @Override
    public void quarantine(long position, int ordinal) {
      quarantines.add(new Quarantine(position, ordinal));
      inner.quarantine(position, ordinal);
    }

    @Override
    public Frozen freeze() {
      StateMachine told =
          ReplicaMachine.MAKER.fresh(
              new Place(
                  place.node(),
                  place.clockMillis(),
                  retelling.service(new WishService(place.node(), execution -> {}))));
      quarantines.forEach(each -> told.quarantine(each.position(), each.ordinal()));
      for (Map.Entry<Long, Entry> entry : past.headMap(inner.position(), true).entrySet()) {
        boolean last = entry.getKey() == inner.position();
        told.apply(entry.getKey(), entry.getValue().term(), retold(entry.getValue(), last), null);
      }
      return told.freeze();
    }
  }

  private byte[] retold(Entry entry, boolean last) {
    List<Proposal> proposals = new ArrayList<>();
    int size = entry.entry().proposals().size();
    for (int ordinal = 0; ordinal < size; ordinal++) {
      Proposal proposal = entry.entry().proposals().get(ordinal);
      Request request = Around.read(proposal);
      if (request == null) {
        proposals.add(proposal);
        continue;
      }
      Decision decision = entry.decisions().get(ordinal);
      Request retold =
          retelling.retell(new Retelling.Told(proposal, request, decision, last, ordinal, size));
      proposals.add(retold == request ? proposal : new Proposal(proposal.principal(), retold));
    }
    return new LogEntry(entry.entry().clusterTag(), entry.entry().stampMillis(), proposals)
        .encode();
  }
}
