package io.onceward.testkit.history;

import io.onceward.Bytes;
import io.onceward.Reply;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Values with versions under keys, as docs/services.md has them. */
final class RegisterModel extends ReferenceModel {
  private static final int PUT = 1;
  private static final int GET = 2;
  private static final int DELETE = 3;
  private static final int COMPARE_AND_SET = 4;
  private static final int PAGE = 5;
  private static final int MOST_PAGE_BYTES = 1 << 20;

  private record Entry(Bytes value, long version) {}

  private final TreeMap<Bytes, Entry> entries = new TreeMap<>();
  private final Set<Bytes> unsure = new HashSet<>();
  private long lastVersion;

  /** How many versions may have been given since, to commands that nobody knows. */
  private long missedVersions;

  @Override
  Judgement executed(Bytes command, Moment moment, Reply told) {
    Words words = new Words(command);
    int code = words.u8();
    return switch (code) {
      case PUT -> store(words.bytes(), words.rest(), told);
      case DELETE -> delete(words.bytes(), told);
      case COMPARE_AND_SET -> {
        Bytes key = words.bytes();
        long expected = words.varint();
        yield compareAndSet(key, expected, words.rest(), told);
      }
      default -> read(code, words, told);
    };
  }

  @Override
  Judgement queried(Bytes question, Moment moment, Reply told) {
    Words words = new Words(question);
    return read(words.u8(), words, told);
  }

  private Judgement store(Bytes key, Bytes value, Reply told) {
    if (!isOk(told)) {
      return differs("that it is stored");
    }
    Words reply = new Words(told.bytes());
    int code = reply.u8();
    long version = code == 1 ? reply.varint() : 0;
    long least = lastVersion + 1;
    long most = least + missedVersions;
    boolean sure = least == most;
    entries.put(key, new Entry(value, version));
    unsure.remove(key);
    lastVersion = Math.max(version, lastVersion);
    missedVersions = 0;
    if (code != 1 || version < least || version > most) {
      return differs("version " + least + (sure ? "" : " to " + most));
    }
    return sure ? AGREES : TAKEN;
  }

  private Judgement compareAndSet(Bytes key, long expected, Bytes value, Reply told) {
    if (unsure.contains(key)) {
      // A business error tells the version but not the value.
      return isOk(told) ? asTaken(store(key, value, told)) : TAKEN;
    }
    Entry entry = entries.get(key);
    long version = entry == null ? 0 : entry.version();
    return version == expected
        ? store(key, value, told)
        : compare(Reply.businessError("version is " + version + ", expected " + expected), told);
  }

  private static Judgement asTaken(Judgement judgement) {
    return judgement.result() == Result.AGREES ? TAKEN : judgement;
  }

  private Judgement delete(Bytes key, Reply told) {
    boolean sure = !unsure.remove(key);
    boolean existed = entries.remove(key) != null;
    if (sure) {
      return compare(deleted(existed), told);
    }
    return told.equals(deleted(true)) || told.equals(deleted(false))
        ? TAKEN
        : differs("that it is deleted");
  }

  private static Reply deleted(boolean existed) {
    return Reply.ok(new Words.Writer().u8(4).u8(existed ? 1 : 0).done());
  }

  private Judgement read(int code, Words words, Reply told) {
    if (code == GET) {
      Bytes key = words.bytes();
      return unsure.contains(key) ? take(key, told) : compare(found(entries.get(key)), told);
    } else if (code == PAGE) {
      return unsure.isEmpty()
          ? compare(page(words.bytes(), words.bytes(), words.varint()), told)
          : TAKEN;
    }
    return differs("a command that this model knows, got " + code);
  }

  private Judgement take(Bytes key, Reply told) {
    Words reply = new Words(told.bytes());
    int code = isOk(told) ? reply.u8() : 0;
    if (code == 2) {
      long version = reply.varint();
      if (version > lastVersion + missedVersions) {
        return differs("a version up to " + (lastVersion + missedVersions));
      }
      entries.put(key, new Entry(reply.rest(), version));
    } else if (code == 3) {
      entries.remove(key);
    } else {
      return differs("a value, or that there is none");
    }
    unsure.remove(key);
    return TAKEN;
  }

  private static Reply found(@Nullable Entry entry) {
    return Reply.ok(
        entry == null
            ? new Words.Writer().u8(3).done()
            : new Words.Writer().u8(2).varint(entry.version()).rest(entry.value()).done());
  }

  private Reply page(Bytes prefix, Bytes after, long limit) {
    Words.Writer body = new Words.Writer();
    long count = 0;
    long bytes = 0;
    boolean more = false;
    for (Map.Entry<Bytes, Entry> each : entries.tailMap(prefix, true).entrySet()) {
      Bytes key = each.getKey();
      if (!key.startsWith(prefix)) {
        break;
      }
      if (after.length() > 0 && key.compareTo(after) <= 0) {
        continue;
      }
      if (count == limit || bytes > MOST_PAGE_BYTES) {
        more = true;
        break;
      }
      Entry entry = each.getValue();
      body.bytes(key).varint(entry.version()).bytes(entry.value());
      bytes += key.length() + entry.value().length();
      count++;
    }
    return Reply.ok(
        new Words.Writer().u8(5).u8(more ? 1 : 0).varint(count).rest(body.done()).done());
  }

  @Override
  void missed(List<Bytes> candidates) {
    boolean stores = false;
    for (Bytes command : candidates) {
      Words words = new Words(command);
      int code = words.u8();
      if (code == PUT || code == DELETE || code == COMPARE_AND_SET) {
        unsure.add(words.bytes());
        stores |= code != DELETE;
      }
    }
    missedVersions += stores ? 1 : 0;
  }
}
