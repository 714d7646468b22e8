package io.onceward.testkit.history;

import io.onceward.Bytes;
import io.onceward.Reply;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Counters as docs/services.md has them. */
final class CounterModel extends ReferenceModel {
  private static final int ADD = 1;
  private static final int GET = 2;

  private final Map<String, Long> values = new HashMap<>();
  private final Set<String> unsure = new HashSet<>();

  @Override
  Judgement executed(Bytes command, Moment moment, Reply told) {
    Words words = new Words(command);
    int code = words.u8();
    String name = words.text();
    if (code != ADD) {
      return read(code, name, told);
    }
    long amount = words.i64();
    if (unsure.contains(name)) {
      return taken(name, told);
    }
    long before = values.getOrDefault(name, 0L);
    try {
      long after = Math.addExact(before, amount);
      values.put(name, after);
      return compare(value(after), told);
    } catch (ArithmeticException e) {
      return compare(
          Reply.businessError("counter is at " + before + "; adding " + amount + " would overflow"),
          told);
    }
  }

  @Override
  Judgement queried(Bytes question, Moment moment, Reply told) {
    Words words = new Words(question);
    return read(words.u8(), words.text(), told);
  }

  private Judgement read(int code, String name, Reply told) {
    if (code != GET) {
      return differs("a command that this model knows, got " + code);
    }
    return unsure.contains(name)
        ? taken(name, told)
        : compare(value(values.getOrDefault(name, 0L)), told);
  }

  private Judgement taken(String name, Reply told) {
    if (isOk(told)) {
      Words reply = new Words(told.bytes());
      if (reply.u8() != 1) {
        return differs("the value of a counter");
      }
      values.put(name, reply.i64());
      unsure.remove(name);
    }
    return TAKEN;
  }

  private static Reply value(long value) {
    return Reply.ok(new Words.Writer().u8(1).i64(value).done());
  }

  @Override
  void missed(List<Bytes> candidates) {
    for (Bytes command : candidates) {
      Words words = new Words(command);
      if (words.u8() == ADD) {
        unsure.add(words.text());
      }
    }
  }
}
