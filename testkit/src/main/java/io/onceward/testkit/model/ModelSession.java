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

  /** The first sequence that the present incarnation or one whose journal it has may have used. */
  long firstOwn = 1;

  /** The incarnation before, and the sequences that it is known to have used: from, up to. */
  long predecessor;

  long predecessorFrom;
  long predecessorUpTo;

  ModelSession(Owner owner, Request.Open open, long incarnation, int window) {
    this.owner = owner;
    this.kind = open.kind();
    this.name = open.name();
    this.session = incarnation;
    this.window = window;
    this.ordered = open.ordered();
    take(open, incarnation);
  }

  /** Before another incarnation takes over. */
  void pass(boolean withJournal) {
    predecessor = incarnation;
    predecessorFrom = firstOwn;
    predecessorUpTo = nextSequence();
    if (!withJournal) {
      firstOwn = nextSequence();
    }
  }

  /**
   * Whether it may be told of a sequence: it is its own, or of a journal that it inherited (S4).
   */
  boolean owns(long asker, long sequence) {
    if (asker == incarnation) {
      return kind != ClientKind.DURABLE || sequence >= firstOwn;
    }
    return kind == ClientKind.DURABLE
        && predecessor != 0
        && asker == predecessor
        && sequence >= predecessorFrom
        && sequence < predecessorUpTo;
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
    long durable = kind == ClientKind.DURABLE ? Accounts.DURABLE : 0;
    return Accounts.SESSION + durable + name.getBytes(StandardCharsets.UTF_8).length;
  }

  Decision.Opened opened() {
    return new Decision.Opened(session, incarnation, watermark, nextSequence(), window, ordered);
  }
}
