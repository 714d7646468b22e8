package io.onceward.testkit.history;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.testkit.history.numbered.Numbered;
import io.onceward.testkit.history.search.Linearizability;
import io.onceward.testkit.history.search.Operation;
import io.onceward.testkit.history.search.Verdict;
import java.nio.BufferUnderflowException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The same judged once more without believing any serial: each key by search, from its first
 * operation on. What was not reached in time, or not decided, is counted.
 */
final class KeysAreLinearizable extends Check {
  /** A key that takes longer is left, so that one hard key does not use up the time of all. */
  private static final Duration LONGEST = Duration.ofSeconds(2);

  private long undecided;
  private long notReached;
  private long operations;

  KeysAreLinearizable() {
    super("counters, registers and lists are linearizable key by key, whatever serials say");
  }

  @Override
  void check(Evidence evidence, Findings findings) {
    long deadline = System.nanoTime() + evidence.options().searchTime().toNanos();
    for (ServiceOrder order : evidence.orders()) {
      Opaque<?, ?> subject = Opaque.of(order.kind);
      if (subject != null) {
        search(evidence, order, subject, deadline, findings);
      }
    }
    findings.count(operations, "operations");
    findings.count(undecided, "keys not decided");
    findings.count(notReached, "keys not reached in time");
  }

  private <S, I> void search(
      Evidence evidence,
      ServiceOrder order,
      Opaque<S, I> subject,
      long deadline,
      Findings findings) {
    Map<Object, List<Integer>> keys = requestsByKey(evidence, order, subject);
    for (Map.Entry<Object, List<Integer>> key : keys.entrySet()) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        notReached++;
        continue;
      }
      List<Operation<I, Reply>> history = operations(evidence, subject, key);
      Duration limit = Duration.ofNanos(Math.min(left, LONGEST.toNanos()));
      findings.checked();
      operations += history.size();
      Verdict verdict;
      try {
        verdict = Linearizability.check(subject, history, limit);
      } catch (BufferUnderflowException | IllegalArgumentException e) {
        findings.violation(
            () -> order.name + " key " + key.getKey() + ": a reply in no words of it: " + e);
        continue;
      }
      if (verdict instanceof Verdict.NotLinearizable bad) {
        findings.violation(() -> order.name + " " + bad);
      } else if (verdict instanceof Verdict.Undecided) {
        undecided++;
      }
    }
  }

  /** In the order of sending, and one more than is searched, which says where the search ends. */
  private static Map<Object, List<Integer>> requestsByKey(
      Evidence evidence, ServiceOrder order, Opaque<?, ?> subject) {
    History history = evidence.history();
    int service = history.serviceNumber(order.name);
    int most = evidence.options().searchedOpsPerKey();
    int[] sent = new int[history.requests];
    int count = 0;
    for (int request = 0; request < history.requests; request++) {
      if (history.service(history.firstOp[request]) == service
          && history.wasSent(request)
          && history.fate(request) != Fate.NEVER) {
        sent[count++] = request;
      }
    }
    Map<Object, List<Integer>> keys = new LinkedHashMap<>();
    for (int request : ByKey.sorted(sent, count, each -> history.firstInvoked[each])) {
      Object key = subject.key(history.payload(history.firstOp[request]));
      if (key != null) {
        List<Integer> requests = keys.computeIfAbsent(key, absent -> new ArrayList<>());
        if (requests.size() <= most) {
          requests.add(request);
        }
      }
    }
    return keys;
  }

  private static <I> List<Operation<I, Reply>> operations(
      Evidence evidence, Opaque<?, I> subject, Map.Entry<Object, List<Integer>> key) {
    History history = evidence.history();
    List<Integer> requests = key.getValue();
    int most = evidence.options().searchedOpsPerKey();
    boolean cut = requests.size() > most;
    // An answer that came after the first request that is left out may be due to that one.
    long end = cut ? history.firstInvoked[requests.get(most)] : Long.MAX_VALUE;
    List<Operation<I, Reply>> operations = new ArrayList<>();
    for (int request : cut ? requests.subList(0, most) : requests) {
      Bytes payload = history.payload(history.firstOp[request]);
      I input = subject.input(payload);
      long sent = history.firstInvoked[request];
      long answered = history.firstAnswered[request];
      String name = history.describe(history.firstOp[request]);
      operations.add(
          history.fate(request) == Fate.ANSWERED
                  && answered < end
                  && history.serial(history.answeredOp[request]) >= 0
              ? Operation.answered(
                  name,
                  key.getKey(),
                  sent,
                  answered,
                  input,
                  Numbered.bare(history.reply(history.answeredOp[request])))
              : Operation.pending(name, key.getKey(), sent, input));
    }
    return operations;
  }
}
