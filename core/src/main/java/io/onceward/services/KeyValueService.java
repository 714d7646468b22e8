package io.onceward.services;

import io.onceward.Bytes;
import io.onceward.Command;
import io.onceward.DamagedException;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Values under keys, each with a version. Versions come from one count of all changes, so that the
 * version of a key only grows, also across a deletion: a compare-and-set can never mistake a new
 * value for an old one.
 */
final class KeyValueService implements Service {
  private static final int SNAPSHOT_VERSION = 1;

  /** About what an entry takes beside the bytes of its key and value, in a sparse page. */
  private static final int ENTRY_BYTES = 192;

  private record Stored(Bytes value, long version) {}

  private FreezableMap<Bytes, Stored> entries = new FreezableMap<>();

  /** The version that was given last. */
  private long lastVersion;

  private long stateBytes;

  @Override
  public String obstacle(Command command, long bytesLeft) {
    // Nothing grows by more than its command: near the limit only, look at what it is.
    if (ENTRY_BYTES + command.payload().length() <= bytesLeft) {
      return "";
    }
    KeyValueCommand asked;
    try {
      asked = KeyValueCommand.decode(command.payload());
    } catch (DamagedException e) {
      return "";
    }
    if (asked instanceof KeyValueCommand.Put put) {
      return ServiceLimits.obstacle(growth(put.key(), put.value()), bytesLeft);
    } else if (asked instanceof KeyValueCommand.CompareAndSet set
        && version(set.key()) == set.expectedVersion()) {
      return ServiceLimits.obstacle(growth(set.key(), set.value()), bytesLeft);
    }
    return "";
  }

  private long growth(Bytes key, Bytes value) {
    Stored stored = entries.get(key);
    return bytes(key, value) - (stored == null ? 0 : bytes(key, stored.value()));
  }

  private static long bytes(Bytes key, Bytes value) {
    return (long) ENTRY_BYTES + key.length() + value.length();
  }

  @Override
  public long stateBytes() {
    return stateBytes;
  }

  @Override
  public Reply execute(Command command) {
    KeyValueCommand asked;
    try {
      asked = KeyValueCommand.decode(command.payload());
    } catch (DamagedException e) {
      return PayloadReader.refusal(e);
    }
    if (asked instanceof KeyValueCommand.Put put) {
      return store(put.key(), put.value());
    } else if (asked instanceof KeyValueCommand.CompareAndSet set) {
      return compareAndSet(set);
    } else if (asked instanceof KeyValueCommand.Delete delete) {
      return ok(new KeyValueReply.Deleted(delete(delete.key())));
    }
    return read(asked);
  }

  @Override
  public Reply query(Command question) {
    try {
      return read(KeyValueCommand.decode(question.payload()));
    } catch (DamagedException e) {
      return PayloadReader.refusal(e);
    }
  }

  private Reply read(KeyValueCommand asked) {
    if (asked instanceof KeyValueCommand.Get get) {
      Stored stored = entries.get(get.key());
      return ok(
          stored == null
              ? new KeyValueReply.Absent()
              : new KeyValueReply.Found(stored.value(), stored.version()));
    } else if (asked instanceof KeyValueCommand.Page page) {
      return ok(page(page));
    }
    return Reply.businessError("this changes values: send it as a command, not as a query");
  }

  private Reply compareAndSet(KeyValueCommand.CompareAndSet set) {
    long version = version(set.key());
    return version == set.expectedVersion()
        ? store(set.key(), set.value())
        : Reply.businessError("version is " + version + ", expected " + set.expectedVersion());
  }

  private long version(Bytes key) {
    Stored stored = entries.get(key);
    return stored == null ? 0 : stored.version();
  }

  private Reply store(Bytes key, Bytes value) {
    long version = ++lastVersion;
    Stored before = entries.put(copy(key), new Stored(copy(value), version));
    stateBytes += bytes(key, value) - (before == null ? 0 : bytes(key, before.value()));
    return ok(new KeyValueReply.Stored(version));
  }

  private boolean delete(Bytes key) {
    Stored deleted = entries.remove(key);
    stateBytes -= deleted == null ? 0 : bytes(key, deleted.value());
    return deleted != null;
  }

  private KeyValueReply.Entries page(KeyValueCommand.Page page) {
    Bytes from = page.after().compareTo(page.prefix()) > 0 ? page.after() : page.prefix();
    PageOfEntries found = new PageOfEntries(page);
    entries.forEachFrom(from, found::visit);
    return new KeyValueReply.Entries(List.copyOf(found.entries), found.more);
  }

  /** Collects entries until the page is full or the prefix ends. */
  private static final class PageOfEntries {
    final List<KeyValueReply.Entry> entries = new ArrayList<>();
    boolean more;
    private final KeyValueCommand.Page page;
    private long bytes;

    PageOfEntries(KeyValueCommand.Page page) {
      this.page = page;
    }

    boolean visit(Bytes key, Stored stored) {
      if (!key.startsWith(page.prefix())) {
        return false;
      }
      if (page.after().length() > 0 && key.equals(page.after())) {
        return true;
      }
      if (entries.size() == page.limit() || bytes > ServiceLimits.LIST_BYTES) {
        more = true;
        return false;
      }
      entries.add(new KeyValueReply.Entry(key, stored.value(), stored.version()));
      bytes += key.length() + stored.value().length();
      return true;
    }
  }

  private static Reply ok(KeyValueReply reply) {
    return Reply.ok(KeyValueReply.encode(reply));
  }

  private static Bytes copy(Bytes bytes) {
    return Bytes.of(bytes.toArray());
  }

  @Override
  public Frozen freeze() {
    FreezableMap.View<Bytes, Stored> frozen = entries.freeze();
    long version = lastVersion;
    return out -> {
      StateOutput state = new StateOutput(out, SNAPSHOT_VERSION);
      state.i64(version);
      state.i64(frozen.size());
      frozen.<IOException>forEach(
          (key, stored) -> {
            state.bytes(key);
            state.i64(stored.version());
            state.bytes(stored.value());
            return true;
          });
      state.flush();
    };
  }

  @Override
  public void restore(InputStream in) throws IOException {
    StateInput state = new StateInput("key-value service", in, SNAPSHOT_VERSION);
    FreezableMap<Bytes, Stored> restored = new FreezableMap<>();
    long version = state.i64();
    long count = state.i64();
    long restoredBytes = 0;
    for (long i = 0; i < count; i++) {
      Bytes key = state.bytes(ServiceLimits.KEY_BYTES);
      long keyVersion = state.i64();
      Bytes value = state.bytes(StateInput.LARGEST_VALUE);
      Stored twice = restored.put(key, new Stored(value, keyVersion));
      restoredBytes += bytes(key, value) - (twice == null ? 0 : bytes(key, twice.value()));
    }
    state.finish();
    entries = restored;
    stateBytes = restoredBytes;
    lastVersion = version;
  }
}
