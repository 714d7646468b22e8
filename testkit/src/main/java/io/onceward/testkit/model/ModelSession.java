package io.onceward.testkit.model;

import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.replica.Request;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;

/** One session. */
final class ModelSession {
  final Owner owner;
  final ClientKind kind;
  final String name;
  final long session;
  final TreeMap<Long, Memo> memos = new TreeMap<>();
  long incarnation;
  long nonceHigh;
  long nonceLow;
  long watermark = 1;
  int window;
  boolean ordered;
  long activeAge;

  ModelSession(Owner owner, Request.Open open, long incarnation, int window) {
    this.owner = owner;
    this.kind = open.kind();
    this.name = open.name();
    this.session = incarnation;
    this.window = window;
    this.ordered = open.ordered();
    take(open, incarnation);
  }

  void take(Request.Open open, long newIncarnation) {
    incarnation = newIncarnation;
    nonceHigh = open.nonceHigh();
    nonceLow = open.nonceLow();
  }

  boolean openedBy(Request.Open open) {
    return nonceHigh == open.nonceHigh() && nonceLow == open.nonceLow();
  }

  /** The first sequence that is not decided. */
  long frontier() {
    long sequence = watermark;
    while (memos.containsKey(sequence)) {
      sequence++;
    }
    return sequence;
  }

  long nextSequence() {
    return memos.isEmpty() ? watermark : Math.max(watermark, memos.lastKey() + 1);
  }

  long bytes() {
    return (long) Accounts.SESSION + name.getBytes(StandardCharsets.UTF_8).length;
  }

  Decision.Opened opened() {
    return new Decision.Opened(session, incarnation, watermark, nextSequence(), window, ordered);
  }
}
