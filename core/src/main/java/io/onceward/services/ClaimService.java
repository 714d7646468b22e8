package io.onceward.services;

import io.onceward.Command;
import io.onceward.DamagedException;
import io.onceward.Frozen;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Service;
import io.onceward.replica.Limits;
import io.onceward.services.ClaimTable.Now;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The memory of guards: stores, each under a name, in which a fleet of processes claims what it is
 * about to do outside (section G). A store belongs to the principal that uses it (L3).
 *
 * <p>Leases end by log time, whatever any machine's clock says: that can at worst make a request
 * unknown, which harms nobody. Retention is counted in <em>age</em>, because what is dropped too
 * early may happen again: age grows from command to command, by at most {@link #LONGEST_STEP}, so
 * that neither an outage nor a clock that jumped a year ends it (T3).
 */
final class ClaimService implements Service {
  /** Twice the interval at which a client that has a store open speaks. */
  static final long LONGEST_STEP = 120_000;

  private static final int SNAPSHOT_VERSION = 1;

  /** Of whom, and called what. */
  private record Name(String principal, String store) implements Comparable<Name> {
    @Override
    public int compareTo(Name other) {
      int order = principal.compareTo(other.principal);
      return order != 0 ? order : store.compareTo(other.store);
    }
  }

  private final int maxRecords;
  private final long maxBytes;
  private ClaimTable.Room room;
  private TreeMap<Name, ClaimTable> tables = new TreeMap<>();
  private long age;

  /** Log time of the last command. */
  private long lastMillis;

  ClaimService() {
    this(ServiceLimits.CLAIMS, ServiceLimits.CLAIMS_BYTES);
  }

  ClaimService(int maxRecords, long maxBytes) {
    this.maxRecords = maxRecords;
    this.maxBytes = maxBytes;
    this.room = new ClaimTable.Room(maxRecords, maxBytes);
  }

  @Override
  public Reply execute(Command command) {
    ClaimCommand asked;
    try {
      asked = ClaimCommand.decode(command.payload());
    } catch (DamagedException e) {
      return PayloadReader.refusal(e);
    }
    Now now = now(command.timeMillis());
    Name name = new Name(command.principal(), asked.store());
    ClaimTable table = tables.get(name);
    ClaimReply step = table == null ? first(name, asked, now) : step(table, asked, now);
    if (step == null) {
      return read(table, asked, now.millis());
    }
    if (table != null && table.isBlank()) {
      tables.remove(name);
    }
    return ok(step);
  }

  private Now now(long millis) {
    age += Math.min(Math.max(millis - lastMillis, 0), LONGEST_STEP);
    lastMillis = millis;
    return new Now(millis, age);
  }

  /** The first that is asked of a store; only a claim makes it be there. */
  private @Nullable ClaimReply first(Name name, ClaimCommand asked, Now now) {
    ClaimTable table = new ClaimTable(room);
    boolean claims = asked instanceof ClaimCommand.Claim || asked instanceof ClaimCommand.Rerun;
    if (claims && tables.size() >= ServiceLimits.CLAIM_STORES) {
      return new ClaimReply.Refused(Refusal.OVERLOADED, "CLAIM_STORES");
    }
    ClaimReply step = step(table, asked, now);
    if (!table.isBlank()) {
      tables.put(name, table);
    }
    return step;
  }

  /** Null if the command only reads. */
  private static @Nullable ClaimReply step(ClaimTable table, ClaimCommand asked, Now now) {
    if (asked instanceof ClaimCommand.Claim c) {
      return table.claim(c.ask(), c.terms(), now);
    } else if (asked instanceof ClaimCommand.Rerun c) {
      return table.rerun(c.ask(), c.fence(), c.terms(), now);
    } else if (asked instanceof ClaimCommand.Done c) {
      return new ClaimReply.Taken(table.done(c.id(), c.fence(), c.reply(), now));
    } else if (asked instanceof ClaimCommand.Unknown c) {
      return new ClaimReply.Taken(table.unknown(c.id(), c.fence(), c.why()));
    } else if (asked instanceof ClaimCommand.Release c) {
      return new ClaimReply.Taken(table.release(c.id(), c.fence(), now));
    } else if (asked instanceof ClaimCommand.Sweep c) {
      return new ClaimReply.Swept(table.sweep(c.atMost(), now));
    }
    return null;
  }

  @Override
  public Reply query(Command question) {
    try {
      ClaimCommand asked = ClaimCommand.decode(question.payload());
      Name name = new Name(question.principal(), asked.store());
      return read(tables.get(name), asked, question.timeMillis());
    } catch (DamagedException e) {
      return PayloadReader.refusal(e);
    }
  }

  private static Reply read(@Nullable ClaimTable table, ClaimCommand asked, long nowMillis) {
    if (asked instanceof ClaimCommand.Unknowns c) {
      return ok(
          table == null
              ? new ClaimReply.Unknowns(List.of(), c.after(), false)
              : table.unknowns(c.after(), c.limit(), nowMillis));
    } else if (asked instanceof ClaimCommand.Late c) {
      ClaimRecord record = table == null ? null : table.record(c.id());
      return ok(new ClaimReply.Late(record == null ? List.of() : record.evidence(c.id())));
    } else if (asked instanceof ClaimCommand.Recall c) {
      ClaimRecord record = table == null ? null : table.record(c.id());
      Reply reply = record == null ? null : record.reply();
      return ok(reply == null ? new ClaimReply.NotDone() : new ClaimReply.Done(reply));
    }
    return Reply.businessError("this changes a claim: send it as a command, not as a query");
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
    long frozenMillis = lastMillis;
    return out -> {
      StateOutput state = new StateOutput(out, SNAPSHOT_VERSION);
      state.i64(frozenAge);
      state.i64(frozenMillis);
      state.i64(names.size());
      for (int i = 0; i < names.size(); i++) {
        state.utf8(names.get(i).principal());
        state.utf8(names.get(i).store());
        images.get(i).writeTo(state);
      }
      state.flush();
    };
  }

  @Override
  public void restore(InputStream in) throws IOException {
    StateInput state = new StateInput("claims service", in, SNAPSHOT_VERSION);
    ClaimTable.Room restoredRoom = new ClaimTable.Room(maxRecords, maxBytes);
    TreeMap<Name, ClaimTable> restored = new TreeMap<>();
    long restoredAge = state.i64();
    long restoredMillis = state.i64();
    long count = state.number("number of stores", ServiceLimits.CLAIM_STORES);
    for (long i = 0; i < count; i++) {
      String principal = state.utf8(Limits.PRINCIPAL_BYTES);
      Name name = new Name(principal, state.utf8(ServiceLimits.STORE_NAME_BYTES));
      ClaimTable table = new ClaimTable(restoredRoom);
      table.restore(state);
      restored.put(name, table);
    }
    state.finish();
    room = restoredRoom;
    tables = restored;
    age = restoredAge;
    lastMillis = restoredMillis;
  }
}
