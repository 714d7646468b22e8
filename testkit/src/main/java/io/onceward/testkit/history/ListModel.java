package io.onceward.testkit.history;

import io.onceward.Bytes;
import io.onceward.Reply;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Lists that are appended to, of which length and digest are told. */
final class ListModel extends ReferenceModel {
  private static final int APPEND = 1;
  private static final int READ = 2;

  private final Map<String, long[]> lists = new HashMap<>();
  private final Set<String> unsure = new HashSet<>();

  @Override
  Judgement executed(Bytes command, Moment moment, Reply told) {
    Words words = new Words(command);
    int code = words.u8();
    String key = words.shortText();
    if (code != APPEND) {
      return read(code, key, told);
    }
    if (unsure.contains(key)) {
      return taken(key, told);
    }
    long[] list = lists.computeIfAbsent(key, absent -> new long[2]);
    list[0]++;
    list[1] = digest(list[1], words.rest());
    return compare(told(list), told);
  }

  /** What a value turns a digest into, by the 64-bit FNV-1a of the value. */
  static long digest(long before, Bytes value) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < value.length(); i++) {
      hash ^= value.at(i) & 0xff;
      hash *= 0x100000001b3L;
    }
    return (before ^ hash) * 0x100000001b3L;
  }

  @Override
  Judgement queried(Bytes question, Moment moment, Reply told) {
    Words words = new Words(question);
    return read(words.u8(), words.shortText(), told);
  }

  private Judgement read(int code, String key, Reply told) {
    if (code != READ) {
      return differs("a command that this model knows, got " + code);
    }
    return unsure.contains(key)
        ? taken(key, told)
        : compare(told(lists.getOrDefault(key, new long[2])), told);
  }

  private Judgement taken(String key, Reply told) {
    if (!isOk(told)) {
      return differs("the length of a list and its digest");
    }
    Words reply = new Words(told.bytes());
    lists.put(key, new long[] {reply.i64(), reply.i64()});
    unsure.remove(key);
    return TAKEN;
  }

  private static Reply told(long[] list) {
    return Reply.ok(new Words.Writer().i64(list[0]).i64(list[1]).done());
  }

  @Override
  void missed(List<Bytes> candidates) {
    for (Bytes command : candidates) {
      Words words = new Words(command);
      if (words.u8() == APPEND) {
        unsure.add(words.shortText());
      }
    }
  }
}
