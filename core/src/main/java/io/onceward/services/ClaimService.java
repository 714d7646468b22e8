package io.onceward.services;

import io.onceward.Command;
import io.onceward.DamagedException;
import io.onceward.Frozen;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Service;
import io.onceward.replica.Limits;
import io.onceward.services.ClaimRoom.Name;
import io.onceward.services.ClaimTable.Now;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The memory of guards: stores, each under a name, in which a fleet of processes claims what it is
 * about to do outside (section G). A store belongs to the principal that uses it (L3).
 *
 * <p>Leases and retention are counted in <em>age</em>: a lease that ends early makes a request
 * unknown, one that never ends hides that it is, and what is dropped too early may happen again.
 * Neither an outage nor a clock that jumped a year ends anything, or keeps it from ending (T3).
 */
final class ClaimService implements Service {
  private static final int SNAPSHOT_VERSION = 5;

  /** No command takes more than this beside twice its own length. */
  private static final int MOST_BYTES = ServiceLimits.CLAIM_REPLY_BYTES + 4_096;

  private final int maxRecords;
  private final long maxBytes;
  private ClaimRoom room;
  private TreeMap<Name, ClaimTable> tables = new TreeMap<>();

  /** As of the last entry; leases that ended until then are known to be over. */
  private long age;

  ClaimService() {
    this(ServiceLimits.CLAIMS, ServiceLimits.CLAIMS_BYTES);
  }

  ClaimService(int maxRecords, long maxBytes) {
    this.maxRecords = maxRecords;
    this.maxBytes = maxBytes;
    this.room = new ClaimRoom(maxRecords, maxBytes);
  }

  @Override
  public Reply execute(Command command) {
    try {
      return carryOut(command);
    } finally {
      // It was said for this command. Nothing of it may stay: it is in no snapshot.
      room.allow(Long.MAX_VALUE);
    }
  }

  private Reply carryOut(Command command) {
    ClaimCommand asked;
    try {
      asked = ClaimCommand.decode(command.payload());
    } catch (DamagedException e) {
      return PayloadReader.refusal(e);
    }
    Now now = at(command);
    expire(now.age());
    Name name = new Name(command.principal(), asked.store());
    ClaimTable table = tables.get(name);
    ClaimReply step = table == null ? first(name, asked, now) : step(table, asked, now);
    if (step == null) {
      return read(name, asked, now);
    }
    if (table != null && table.isBlank()) {
      drop(name);
    }
    return ok(step);
  }

  /** Ends leases, and with them what is held for replies; records are dropped by sweeping. */
  @Override
  public void expire(long ageMillis) {
    age = ageMillis;
    room.endLeases(ageMillis);
  }

  @Override
  public boolean canExpire() {
    return room.holdsRecords();
  }

  @Override
  public boolean owns(String principal) {
    for (Map.Entry<Name, ClaimTable> each : storesOf(principal).entrySet()) {
      if (each.getValue().isInUse()) {
        return true;
      }
    }
    return false;
  }

  /** What its stores have dropped is refused in those of the successor too (K5). */
  @Override
  public void renamed(String principal, String successor) {
    for (Name name : List.copyOf(storesOf(principal).keySet())) {
      ClaimTable table = tables.get(name);
      if (table != null && table.foldHorizon()) {
        drop(name);
      }
    }
    ClaimRoom.Horizons dropped = room.horizons(principal);
    room.forgetHorizons(principal);
    if (dropped.isNothing()) {
      return;
    }
    room.raise(room.share(successor), dropped);
    storesOf(successor).values().forEach(table -> table.raiseHorizons(dropped));
  }

  private SortedMap<Name, ClaimTable> storesOf(String principal) {
    // No text stands between one and the same with a zero behind it.
    return tables.subMap(new Name(principal, ""), new Name(principal + '\0', ""));
  }

  private static Now at(Command command) {
    return new Now(command.timeMillis(), command.ageMillis());
  }

  /** If nothing is in the way, the command comes next, and has this much room. */
  @Override
  public String obstacle(Command command, long bytesLeft) {
    String limit = limitMetBy(command, bytesLeft);
    room.allow(limit.isEmpty() ? bytesLeft : Long.MAX_VALUE);
    return limit;
  }

  private String limitMetBy(Command command, long bytesLeft) {
    if (MOST_BYTES + 2L * command.payload().length() <= bytesLeft) {
      return "";
    }
    try {
      ClaimCommand asked = ClaimCommand.decode(command.payload());
      Name name = new Name(command.principal(), asked.store());
      ClaimTable table = tables.get(name);
      Now now = at(command);
      // A store that is not there yet counts, and is asked apart from the room of all.
      long growth =
          table == null
              ? new ClaimTable(new ClaimRoom(maxRecords, maxBytes), name).growth(asked, now)
              : table.growth(asked, now);
      if (table == null && growth > 0) {
        growth += ClaimRoom.STORE_BYTES;
      }
      return ServiceLimits.obstacle(growth, bytesLeft);
    } catch (DamagedException e) {
      return "";
    }
  }

  @Override
  public long stateBytes() {
    return room.bytes();
  }

  /** The first that is asked of a store; only what leaves something behind makes it be there. */
  private @Nullable ClaimReply first(Name name, ClaimCommand asked, Now now) {
    boolean claims =
        asked instanceof ClaimCommand.Claim
            || asked instanceof ClaimCommand.Rerun
            || asked instanceof ClaimCommand.DatedOnly setting && setting.on();
    boolean abandons = asked instanceof ClaimCommand.Abandon;
    if ((claims || abandons) && !mayMakeStore(name)) {
      return abandons
          ? ClaimTable.refused(Refusal.OVERLOADED, "CLAIM_STORES")
          : new ClaimReply.Refused(Refusal.OVERLOADED, "CLAIM_STORES");
    }
    ClaimTable table = new ClaimTable(room, name);
    ClaimReply step = step(table, asked, now);
    if (!table.isBlank()) {
      tables.put(name, table);
      ClaimRoom.Share share = room.share(name.principal());
      share.stores++;
      room.charge(share, 0, ClaimRoom.STORE_BYTES);
    }
    room.forgetIfEmpty(name.principal());
    return step;
  }

  /** As with bytes, a principal may have as many stores as it leaves for others. */
  private boolean mayMakeStore(Name name) {
    if (!isFull(name)) {
      return true;
    }
    for (Name each : List.copyOf(tables.keySet())) {
      ClaimTable table = tables.get(each);
      if (table != null && table.foldHorizon()) {
        drop(each);
      }
    }
    return !isFull(name);
  }

  private boolean isFull(Name name) {
    int own = room.stores(name.principal());
    return own + 1 > ServiceLimits.CLAIM_STORES - tables.size() - 1;
  }

  private void drop(Name name) {
    tables.remove(name);
    ClaimRoom.Share share = room.share(name.principal());
    share.stores--;
    room.charge(share, 0, -ClaimRoom.STORE_BYTES);
    room.forgetIfEmpty(name.principal());
  }

  /** Null if the command only reads. */
  private static @Nullable ClaimReply step(ClaimTable table, ClaimCommand asked, Now now) {
    if (asked instanceof ClaimCommand.Claim c) {
      return table.claim(c.ask(), c.terms(), now);
    } else if (asked instanceof ClaimCommand.Rerun c) {
      return table.rerun(c.ask(), c.fence(), c.terms(), now);
    } else if (asked instanceof ClaimCommand.Done c) {
      return table.done(c.id(), c.fence(), c.reply(), now);
    } else if (asked instanceof ClaimCommand.Unknown c) {
      return table.unknown(c.id(), c.fence(), c.why());
    } else if (asked instanceof ClaimCommand.Release c) {
      return new ClaimReply.Taken(table.release(c.id(), c.fence(), now));
    } else if (asked instanceof ClaimCommand.Sweep c) {
      return new ClaimReply.Swept(table.sweep(c.atMost(), now));
    } else if (asked instanceof ClaimCommand.Abandon c) {
      return table.abandon(c.id(), c.retentionMillis(), now);
    } else if (asked instanceof ClaimCommand.Acknowledge c) {
      return new ClaimReply.Taken(table.acknowledge(c.id()));
    } else if (asked instanceof ClaimCommand.Forget c) {
      ClaimRecords.Bound bound = ClaimRecords.Bound.ofTime(c.startedBeforeMillis());
      return new ClaimReply.Swept(table.forget(bound, c.atMost(), now));
    } else if (asked instanceof ClaimCommand.ForgetByAge c) {
      ClaimRecords.Bound bound = ClaimRecords.Bound.ofAge(c.startedBeforeAgeMillis());
      return new ClaimReply.Swept(table.forget(bound, c.atMost(), now));
    } else if (asked instanceof ClaimCommand.DatedOnly c) {
      return table.setDatedOnly(c.scope(), c.on());
    }
    return null;
  }

  @Override
  public Reply query(Command question) {
    try {
      ClaimCommand asked = ClaimCommand.decode(question.payload());
      Name name = new Name(question.principal(), asked.store());
      return read(name, asked, at(question));
    } catch (DamagedException e) {
      return PayloadReader.refusal(e);
    }
  }

  private Reply read(Name name, ClaimCommand asked, Now now) {
    ClaimTable table = tables.get(name);
    if (asked instanceof ClaimCommand.Unknowns c) {
      return ok(
          table == null
              ? new ClaimReply.Unknowns(List.of(), c.after(), false)
              : table.unknowns(c.after(), c.limit(), now));
    } else if (asked instanceof ClaimCommand.Late c) {
      ClaimRecord record = table == null ? null : table.record(c.id());
      return ok(new ClaimReply.Late(record == null ? List.of() : record.evidence(c.id())));
    } else if (asked instanceof ClaimCommand.Recall c) {
      ClaimRecord record = table == null ? null : table.record(c.id());
      Reply reply = record == null ? null : record.reply();
      return ok(reply == null ? new ClaimReply.NotDone() : new ClaimReply.Done(reply));
    }
    if (asked instanceof ClaimCommand.CountOlder c) {
      return count(table, ClaimRecords.Bound.ofTime(c.startedBeforeMillis()));
    } else if (asked instanceof ClaimCommand.CountByAge c) {
      return count(table, ClaimRecords.Bound.ofAge(c.startedBeforeAgeMillis()));
    }
    if (asked instanceof ClaimCommand.Outcome c) {
      return ok(
          table == null
              ? ClaimTable.withoutRecord(c.id().key(), room.horizons(name.principal()))
              : table.outcome(c.id(), now));
    }
    return Reply.businessError("this changes a claim: send it as a command, not as a query");
  }

  private static Reply count(@Nullable ClaimTable table, ClaimRecords.Bound bound) {
    return ok(table == null ? new ClaimReply.Counted(0) : table.count(bound));
  }

  private static Reply ok(ClaimReply reply) {
    return Reply.ok(ClaimReply.encode(reply));
  }

  @Override
  public Frozen freeze() {
    List<Name> names = new ArrayList<>(tables.keySet());
    List<ClaimTable.Image> images = new ArrayList<>();
    for (ClaimTable table : tables.values()) {
      images.add(table.freeze());
    }
    long frozenAge = age;
    TreeMap<String, ClaimRoom.Horizons> horizons = room.horizons();
    return out -> {
      StateOutput state = new StateOutput(out, SNAPSHOT_VERSION);
      state.i64(frozenAge);
      state.i64(names.size());
      for (int i = 0; i < names.size(); i++) {
        state.utf8(names.get(i).principal());
        state.utf8(names.get(i).store());
        images.get(i).writeTo(state);
      }
      state.i64(horizons.size());
      for (Map.Entry<String, ClaimRoom.Horizons> each : horizons.entrySet()) {
        state.utf8(each.getKey());
        state.i64(each.getValue().horizonMicros());
        state.i64(each.getValue().undatedHorizonMicros());
        state.i64(each.getValue().undatedFence());
      }
      state.flush();
    };
  }

  @Override
  public void restore(InputStream in) throws IOException {
    StateInput state = new StateInput("claims service", in, SNAPSHOT_VERSION);
    ClaimRoom restoredRoom = new ClaimRoom(maxRecords, maxBytes);
    TreeMap<Name, ClaimTable> restored = new TreeMap<>();
    long restoredAge = state.i64();
    restoredRoom.endLeases(restoredAge);
    long count = state.number("number of stores", ServiceLimits.CLAIM_STORES);
    for (long i = 0; i < count; i++) {
      String principal = state.utf8(Limits.PRINCIPAL_BYTES);
      Name name = new Name(principal, state.utf8(ServiceLimits.STORE_NAME_BYTES));
      ClaimTable table = new ClaimTable(restoredRoom, name);
      table.restore(state);
      restored.put(name, table);
      ClaimRoom.Share share = restoredRoom.share(principal);
      share.stores++;
      restoredRoom.charge(share, 0, ClaimRoom.STORE_BYTES);
    }
    long horizons = state.i64();
    for (long i = 0; i < horizons; i++) {
      ClaimRoom.Share share = restoredRoom.share(state.utf8(Limits.PRINCIPAL_BYTES));
      share.horizonMicros = state.i64();
      share.undatedHorizonMicros = state.i64();
      share.undatedFence = state.i64();
      restoredRoom.charge(share, 0, ClaimRoom.PRINCIPAL_BYTES);
    }
    state.finish();
    room = restoredRoom;
    tables = restored;
    age = restoredAge;
  }
}
