package io.onceward.services;

import io.onceward.Command;
import io.onceward.DamagedException;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Names that one holder at a time can have, for a while. A lease is over once the cluster has been
 * at work for that while: it is measured by age (T3), so a clock that jumps neither ends it early
 * nor makes it last, an outage of the cluster does not count, and nobody but the log can end it.
 * Tokens come from one count of all grants, so that a later grant always has the greater one.
 */
final class LeaseService implements Service {
  private static final int SNAPSHOT_VERSION = 2;

  /** About what a lease takes beside the characters of its names, in a sparse page. */
  private static final int LEASE_BYTES = 296;

  /**
   * @param expiresMillis when it was expected to end, in log time, for people to read
   * @param endsAge the age at which it ends
   */
  private record Lease(String holder, long token, long expiresMillis, long endsAge) {}

  /** When a lease ends, soonest first. */
  private record End(long age, String name) implements Comparable<End> {
    @Override
    public int compareTo(End other) {
      int order = Long.compare(age, other.age);
      return order != 0 ? order : name.compareTo(other.name);
    }
  }

  private FreezableMap<String, Lease> leases = new FreezableMap<>();

  /** Of every lease in the map; follows from it, so it is in no snapshot. */
  private final TreeSet<End> ends = new TreeSet<>();

  private long lastToken;
  private long stateBytes;

  @Override
  public String obstacle(Command command, long bytesLeft) {
    if (LEASE_BYTES + 2L * command.payload().length() <= bytesLeft) {
      return "";
    }
    try {
      return LeaseCommand.decode(command.payload()) instanceof LeaseCommand.Acquire acquire
          ? obstacle(acquire, bytesLeft)
          : "";
    } catch (DamagedException e) {
      return "";
    }
  }

  /** Only a new lease grows the state. */
  private String obstacle(LeaseCommand.Acquire acquire, long bytesLeft) {
    return leases.get(acquire.name()) == null
        ? ServiceLimits.obstacle(bytes(acquire.name(), acquire.holder()), bytesLeft)
        : "";
  }

  private static long bytes(String name, String holder) {
    return LEASE_BYTES + 2L * (name.length() + holder.length());
  }

  @Override
  public long stateBytes() {
    return stateBytes;
  }

  @Override
  public void expire(long ageMillis) {
    while (!ends.isEmpty() && ends.first().age() <= ageMillis) {
      drop(ends.first().name());
    }
  }

  @Override
  public boolean canExpire() {
    return !ends.isEmpty();
  }

  @Override
  public Reply execute(Command command) {
    LeaseCommand asked;
    try {
      asked = LeaseCommand.decode(command.payload());
    } catch (DamagedException e) {
      return PayloadReader.refusal(e);
    }
    expire(command.ageMillis());
    if (asked instanceof LeaseCommand.Acquire acquire) {
      return acquire(acquire, command);
    } else if (asked instanceof LeaseCommand.Renew renew) {
      return renew(renew, command);
    } else if (asked instanceof LeaseCommand.Release release) {
      return release(release);
    }
    return read(asked, command.ageMillis());
  }

  @Override
  public Reply query(Command question) {
    try {
      return read(LeaseCommand.decode(question.payload()), question.ageMillis());
    } catch (DamagedException e) {
      return PayloadReader.refusal(e);
    }
  }

  private Reply read(LeaseCommand asked, long age) {
    if (asked instanceof LeaseCommand.Get get) {
      Lease lease = leases.get(get.name());
      // Age goes on between commands to this service, so the lease may be over by now.
      return ok(
          lease == null || lease.endsAge() <= age
              ? new LeaseReply.Free()
              : new LeaseReply.Held(lease.holder(), lease.token(), lease.expiresMillis()));
    }
    return Reply.businessError("this changes a lease: send it as a command, not as a query");
  }

  private Reply acquire(LeaseCommand.Acquire acquire, Command now) {
    Lease held = leases.get(acquire.name());
    if (held != null) {
      return Reply.businessError(heldBy(held));
    }
    return grant(acquire.name(), lease(acquire.holder(), ++lastToken, acquire.ttlMillis(), now));
  }

  private Reply renew(LeaseCommand.Renew renew, Command now) {
    Lease held = leases.get(renew.name());
    String obstacle = obstacle(held, renew.holder(), renew.token());
    return obstacle != null
        ? Reply.businessError(obstacle)
        : grant(renew.name(), lease(renew.holder(), renew.token(), renew.ttlMillis(), now));
  }

  private Reply release(LeaseCommand.Release release) {
    Lease held = leases.get(release.name());
    String obstacle = obstacle(held, release.holder(), release.token());
    if (obstacle != null) {
      return Reply.businessError(obstacle);
    }
    drop(release.name());
    return ok(new LeaseReply.Released());
  }

  /** Why this holder cannot renew or release; null if it can. */
  private static @Nullable String obstacle(@Nullable Lease held, String holder, long token) {
    if (held == null) {
      return "lease is not held: it expired or was released";
    }
    if (!held.holder().equals(holder)) {
      return heldBy(held);
    }
    return held.token() == token ? null : "token is " + held.token() + ", got " + token;
  }

  private static String heldBy(Lease lease) {
    return "lease is held by "
        + lease.holder()
        + " until "
        + Instant.ofEpochMilli(lease.expiresMillis());
  }

  private static Lease lease(String holder, long token, long ttlMillis, Command now) {
    return new Lease(
        holder, token, end(now.timeMillis(), ttlMillis), end(now.ageMillis(), ttlMillis));
  }

  private Reply grant(String name, Lease lease) {
    drop(name);
    leases.put(name, lease);
    stateBytes += bytes(name, lease.holder());
    ends.add(new End(lease.endsAge(), name));
    return ok(new LeaseReply.Granted(lease.token(), lease.expiresMillis()));
  }

  private static long end(long nowMillis, long ttlMillis) {
    return nowMillis > Long.MAX_VALUE - ttlMillis ? Long.MAX_VALUE : nowMillis + ttlMillis;
  }

  private void drop(String name) {
    Lease dropped = leases.remove(name);
    if (dropped != null) {
      stateBytes -= bytes(name, dropped.holder());
      ends.remove(new End(dropped.endsAge(), name));
    }
  }

  private static Reply ok(LeaseReply reply) {
    return Reply.ok(LeaseReply.encode(reply));
  }

  @Override
  public Frozen freeze() {
    FreezableMap.View<String, Lease> frozen = leases.freeze();
    long token = lastToken;
    return out -> {
      StateOutput state = new StateOutput(out, SNAPSHOT_VERSION);
      state.i64(token);
      state.i64(frozen.size());
      frozen.<IOException>forEach(
          (name, lease) -> {
            state.utf8(name);
            state.utf8(lease.holder());
            state.i64(lease.token());
            state.i64(lease.expiresMillis());
            state.i64(lease.endsAge());
            return true;
          });
      state.flush();
    };
  }

  @Override
  public void restore(InputStream in) throws IOException {
    StateInput state = new StateInput("lease service", in, SNAPSHOT_VERSION);
    FreezableMap<String, Lease> restored = new FreezableMap<>();
    TreeSet<End> restoredEnds = new TreeSet<>();
    long token = state.i64();
    long count = state.i64();
    long restoredBytes = 0;
    for (long i = 0; i < count; i++) {
      String name = state.utf8(ServiceLimits.NAME_BYTES);
      String holder = state.utf8(ServiceLimits.NAME_BYTES);
      Lease lease = new Lease(holder, state.i64(), state.i64(), state.i64());
      Lease twice = restored.put(name, lease);
      restoredBytes += bytes(name, holder) - (twice == null ? 0 : bytes(name, twice.holder()));
      restoredEnds.add(new End(lease.endsAge(), name));
    }
    state.finish();
    leases = restored;
    ends.clear();
    ends.addAll(restoredEnds);
    lastToken = token;
    stateBytes = restoredBytes;
  }
}
