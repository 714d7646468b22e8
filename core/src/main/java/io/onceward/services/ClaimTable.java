package io.onceward.services;

import io.onceward.Bytes;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.GuardedId;
import io.onceward.guard.UnknownRequest;
import io.onceward.replica.Limits;
import io.onceward.services.ClaimRecord.State;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One store of the claims service: what {@link ClaimStore} says, step by step, with log time for
 * leases and dates, and age for retention.
 */
final class ClaimTable {
  /** How far ahead of log time the date of a key may be (K5). */
  private static final long FUTURE_MICROS = TimeUnit.MINUTES.toMicros(5);

  /** Before any date. */
  private static final long NOTHING_DROPPED = -1;

  /** A page of unknown requests ends with the one that passes this. */
  private static final int PAGE_CHARACTERS = ServiceLimits.LIST_BYTES / 4;

  /** Log time and age, as of the command that is executed. */
  record Now(long millis, long age) {}

  /** What all stores of the service share: how much they hold, and how much they may. */
  static final class Room {
    private final int maxRecords;
    private final long maxBytes;
    private int records;
    private long bytes;

    Room(int maxRecords, long maxBytes) {
      this.maxRecords = maxRecords;
      this.maxBytes = maxBytes;
    }
  }

  /** When a decided record may be dropped, soonest first. */
  private record Due(long age, long place, GuardedId id) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      int order = Long.compare(age, other.age);
      return order != 0 ? order : Long.compare(place, other.place);
    }
  }

  private final Room room;
  private final FreezableMap<GuardedId, ClaimRecord> records = new FreezableMap<>();

  /** Those that are open, by place, and those that are not; both follow from the records. */
  private final TreeMap<Long, GuardedId> open = new TreeMap<>();

  private final TreeSet<Due> due = new TreeSet<>();

  private long lastPlace;

  /** The greatest date of a dated key that was dropped (K5). */
  private long horizonMicros = NOTHING_DROPPED;

  ClaimTable(Room room) {
    this.room = room;
  }

  // ---- steps ----------------------------------------------------------------------------------

  ClaimReply claim(Ask ask, ClaimTerms terms, Now now) {
    ClaimRecord known = records.get(ask.id());
    return known == null ? first(ask, terms, now) : tell(known, ask, terms, now);
  }

  ClaimReply rerun(Ask ask, long fence, ClaimTerms terms, Now now) {
    ClaimRecord known = records.get(ask.id());
    if (known != null
        && known.matches(ask)
        && known.fence() == fence
        && known.isUnknown(now.millis())) {
      return start(ask.id(), known.startedAgain(known.place(), ask, terms, now.millis()));
    }
    return claim(ask, terms, now);
  }

  private ClaimReply first(Ask ask, ClaimTerms terms, Now now) {
    Key key = ask.id().key();
    if (key.isDated()) {
      long date = key.dateMicros();
      if (date <= horizonMicros) {
        return new ClaimReply.Refused(Refusal.FORGOTTEN, "");
      }
      if (date - FUTURE_MICROS > TimeUnit.MILLISECONDS.toMicros(now.millis())) {
        return new ClaimReply.Refused(Refusal.FROM_THE_FUTURE, "");
      }
    }
    ClaimRecord started = ClaimRecord.started(lastPlace + 1, ask, terms, now.millis());
    String limit = limitMetBy(1, started.bytes(ask.id()), now);
    if (!limit.isEmpty()) {
      return new ClaimReply.Refused(Refusal.OVERLOADED, limit);
    }
    lastPlace++;
    return start(ask.id(), started);
  }

  private ClaimReply tell(ClaimRecord known, Ask ask, ClaimTerms terms, Now now) {
    GuardedId id = ask.id();
    if (!known.matches(ask)) {
      return new ClaimReply.Refused(Refusal.MISMATCH, "");
    }
    if (known.isUnknown(now.millis())) {
      return new ClaimReply.Unknown(known.describe(id, now.millis()));
    }
    if (known.state() == State.STARTED) {
      return new ClaimReply.Running(known.leaseEndsMillis() - now.millis());
    }
    Reply reply = known.reply();
    if (reply != null) {
      return reply.bytes().length() <= ServiceLimits.CLAIM_REPLY_AT_ONCE_BYTES
          ? new ClaimReply.Done(reply)
          : new ClaimReply.DoneAtLength();
    }
    ClaimRecord again = known.startedAgain(lastPlace + 1, ask, terms, now.millis());
    String limit = limitMetBy(0, again.bytes(id) - known.bytes(id), now);
    if (!limit.isEmpty()) {
      return new ClaimReply.Refused(Refusal.OVERLOADED, limit);
    }
    lastPlace++;
    // What made room may have dropped the record itself, which was released and due.
    return records.get(id) == null ? first(ask, terms, now) : start(id, again);
  }

  private ClaimReply start(GuardedId id, ClaimRecord record) {
    put(id, record);
    return new ClaimReply.Started(record.fence());
  }

  /** Names the limit that so much more would pass, or nothing. What is due makes room first. */
  private String limitMetBy(int moreRecords, long moreBytes, Now now) {
    if (obstacle(moreRecords, moreBytes).isEmpty()) {
      return "";
    }
    sweep(ServiceLimits.LIST_ENTRIES, now);
    return obstacle(moreRecords, moreBytes);
  }

  private String obstacle(int moreRecords, long moreBytes) {
    if (room.records + moreRecords > room.maxRecords) {
      return "CLAIMS";
    }
    return room.bytes + moreBytes > room.maxBytes ? "CLAIMS_BYTES" : "";
  }

  boolean done(GuardedId id, long fence, Reply reply, Now now) {
    ClaimRecord known = records.get(id);
    if (known == null) {
      return false;
    }
    if (known.fence() == fence && known.isOpen()) {
      put(id, known.decided(own(reply), now.age()));
      return true;
    }
    if (known.fence() == fence && reply.equals(known.reply())) {
      return true;
    }
    put(id, known.suspected(new ClaimRecord.Late(fence, own(reply), now.millis())));
    return false;
  }

  boolean unknown(GuardedId id, long fence, String why) {
    ClaimRecord known = records.get(id);
    if (known == null || known.fence() != fence || !known.isOpen()) {
      return false;
    }
    if (known.state() == State.STARTED) {
      put(id, known.doubted(why));
    }
    return true;
  }

  boolean release(GuardedId id, long fence, Now now) {
    ClaimRecord known = records.get(id);
    if (known == null || known.fence() != fence || known.state() == State.DONE) {
      return false;
    }
    if (known.isOpen()) {
      put(id, known.released(now.age()));
    }
    return true;
  }

  int sweep(int atMost, Now now) {
    int dropped = 0;
    while (dropped < atMost && !due.isEmpty() && due.first().age() <= now.age()) {
      drop(due.first().id());
      dropped++;
    }
    return dropped;
  }

  private void drop(GuardedId id) {
    if (id.key().isDated()) {
      horizonMicros = Math.max(horizonMicros, id.key().dateMicros());
    }
    ClaimRecord dropped = records.remove(id);
    if (dropped != null) {
      due.remove(new Due(dropped.dueAge(), dropped.place(), id));
      room.records--;
      room.bytes -= dropped.bytes(id);
    }
  }

  private void put(GuardedId id, ClaimRecord record) {
    ClaimRecord before = records.put(id, record);
    if (before == null) {
      room.records++;
    } else {
      room.bytes -= before.bytes(id);
      open.remove(before.place());
      due.remove(new Due(before.dueAge(), before.place(), id));
    }
    index(id, record);
  }

  private void index(GuardedId id, ClaimRecord record) {
    room.bytes += record.bytes(id);
    if (record.isOpen()) {
      open.put(record.place(), id);
    } else {
      due.add(new Due(record.dueAge(), record.place(), id));
    }
  }

  /** A payload is gone when its command has been executed. */
  private static Reply own(Reply reply) {
    return new Reply(reply.kind(), Bytes.of(reply.bytes().toArray()));
  }

  /** Whether nothing is lost if it is forgotten that this store was ever used. */
  boolean isBlank() {
    return records.size() == 0 && horizonMicros == NOTHING_DROPPED;
  }

  // ---- questions ------------------------------------------------------------------------------

  @Nullable ClaimRecord record(GuardedId id) {
    return records.get(id);
  }

  ClaimReply.Unknowns unknowns(long after, int limit, long nowMillis) {
    List<UnknownRequest> found = new ArrayList<>();
    long last = after;
    long characters = 0;
    for (Map.Entry<Long, GuardedId> each : open.tailMap(after, false).entrySet()) {
      if (found.size() == limit || characters > PAGE_CHARACTERS) {
        return new ClaimReply.Unknowns(found, last, true);
      }
      last = each.getKey();
      ClaimRecord record = records.get(each.getValue());
      if (record != null && record.isUnknown(nowMillis)) {
        found.add(record.describe(each.getValue(), nowMillis));
        characters += record.memo().length() + record.why().length() + 512;
      }
    }
    return new ClaimReply.Unknowns(found, last, false);
  }

  // ---- snapshots ------------------------------------------------------------------------------

  /** Writes one store as it is now, later. */
  interface Image {
    void writeTo(StateOutput out) throws IOException;
  }

  Image freeze() {
    FreezableMap.View<GuardedId, ClaimRecord> frozen = records.freeze();
    long place = lastPlace;
    long horizon = horizonMicros;
    return out -> {
      out.i64(place);
      out.i64(horizon);
      out.i64(frozen.size());
      frozen.<IOException>forEach(
          (id, record) -> {
            out.utf8(id.principal());
            out.utf8(id.scope().name());
            out.i64(id.key().kind().code());
            out.i64(id.key().high());
            out.i64(id.key().low());
            record.writeTo(out);
            return true;
          });
    };
  }

  /** Into an empty table. */
  void restore(StateInput in) throws IOException {
    lastPlace = in.i64();
    horizonMicros = in.i64();
    long count = in.i64();
    for (long i = 0; i < count; i++) {
      GuardedId id = id(in);
      ClaimRecord record = ClaimRecord.readFrom(in);
      if (records.put(id, record) == null) {
        room.records++;
      }
      index(id, record);
    }
  }

  private static GuardedId id(StateInput in) throws IOException {
    String principal = in.utf8(GuardedId.MAX_PRINCIPAL_BYTES);
    String scope = in.utf8(Limits.SCOPE_BYTES);
    long kind = in.number("key kind", Key.Kind.values().length - 1);
    try {
      Key key = Key.of(Key.Kind.ofCode((int) kind), in.i64(), in.i64());
      return new GuardedId(principal, new Scope(scope), key);
    } catch (IllegalArgumentException e) {
      throw new IOException("the state of the claims service has an id that is none", e);
    }
  }
}
