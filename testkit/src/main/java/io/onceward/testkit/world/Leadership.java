package io.onceward.testkit.world;

import io.onceward.server.Door;
import io.onceward.testkit.world.Disk.Logged;
import io.onceward.testkit.world.Disk.Snapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a node remembers while it believes to lead one term: how far each other node is, and which
 * reads wait for a majority to confirm that it still leads.
 *
 * <p>An entry is committed when a majority has it and it is of this term; earlier ones are
 * committed with it. So the first thing a leader does is to log an entry of its own.
 */
final class Leadership {
  /** Entries for a follower that has everything up to {@code previous}. */
  record Append(
      long term,
      int leader,
      long previous,
      long previousTerm,
      List<Logged> entries,
      long commit,
      long round) {}

  private record Read(long round, long position, Door.Reads reads) {}

  private static final int MOST_ENTRIES_PER_MESSAGE = 64;
  private static final long LEAST_RESEND_MILLIS = 40;
  private static final long MOST_RESEND_MILLIS = 2_000;

  private final Node node;
  private final World world;
  private final long term;
  private final long[] next;
  private final long[] matched;
  private final long[] knownCommit;
  private final long[] confirmedRound;
  private final List<Read> reads = new ArrayList<>();
  private long firstPosition;
  private long round;
  private long resendMillis = LEAST_RESEND_MILLIS;
  private boolean resendScheduled;

  Leadership(Node node, World world, long term) {
    this.node = node;
    this.world = world;
    this.term = term;
    int nodes = world.members();
    next = new long[nodes];
    matched = new long[nodes];
    knownCommit = new long[nodes];
    confirmedRound = new long[nodes];
  }

  long term() {
    return term;
  }

  private boolean holds() {
    return node.leadership() == this;
  }

  void begin() {
    node.disk.append(new Logged(term, null));
    firstPosition = node.disk.last();
    Arrays.fill(next, firstPosition);
    world.trace().note("lead", node.number, term, null);
    node.doorstep().elected();
    replicate();
  }

  /** Appends an entry to the leader's own log; whether it is ever committed is another matter. */
  long propose(byte[] entry) {
    node.disk.append(new Logged(term, entry));
    long position = node.disk.last();
    world.trace().note("propose", node.number, position, null);
    replicate();
    return position;
  }

  /** Another node begins with an empty log. */
  void forget(int other) {
    next[other] = firstPosition;
    matched[other] = 0;
    knownCommit[other] = 0;
    resendMillis = LEAST_RESEND_MILLIS;
    resendLater();
  }

  private boolean isOther(int number) {
    return number != node.number && world.isMember(number);
  }

  private void replicate() {
    for (int other = 0; other < next.length; other++) {
      if (isOther(other)) {
        send(other);
      }
    }
    advanceCommit();
    resendLater();
  }

  private void send(int other) {
    long previous = next[other] - 1;
    long previousTerm = node.disk.termAt(previous);
    Node to = world.node(other);
    Snapshot snapshot = node.disk.snapshot();
    if (previousTerm < 0 || previous + 1 < node.disk.first()) {
      if (snapshot == null) {
        throw new IllegalStateException("entry " + previous + " is neither in log nor snapshot");
      }
      long now = round;
      deliver(to, () -> to.install(term, node.number, snapshot, now));
      next[other] = snapshot.position() + 1;
      return;
    }
    long last = Math.min(node.disk.last(), previous + MOST_ENTRIES_PER_MESSAGE);
    List<Logged> entries = new ArrayList<>((int) (last - previous));
    for (long position = previous + 1; position <= last; position++) {
      entries.add(node.disk.at(position));
    }
    Append message =
        new Append(term, node.number, previous, previousTerm, entries, node.commit(), round);
    next[other] = last + 1;
    deliver(to, () -> to.append(message));
  }

  private void deliver(Node to, Runnable message) {
    world
        .network()
        .send(
            node.number,
            to.number,
            () -> {
              if (to.isUp()) {
                message.run();
              }
            });
  }

  private void resendLater() {
    if (!resendScheduled && someoneLags()) {
      resendScheduled = true;
      node.later(
          resendMillis,
          () -> {
            resendScheduled = false;
            if (holds()) {
              resend();
            }
          });
    }
  }

  private void resend() {
    resendMillis = Math.min(2 * resendMillis, MOST_RESEND_MILLIS);
    for (int other = 0; other < next.length; other++) {
      if (isOther(other) && lags(other)) {
        next[other] = Math.min(next[other], matched[other] + 1);
        send(other);
      }
    }
    resendLater();
  }

  private boolean someoneLags() {
    for (int other = 0; other < next.length; other++) {
      if (isOther(other) && lags(other)) {
        return true;
      }
    }
    return false;
  }

  private boolean lags(int other) {
    return matched[other] < node.disk.last()
        || knownCommit[other] < node.commit()
        || (!reads.isEmpty() && confirmedRound[other] < round);
  }

  void accepted(int from, long position, long commit, long confirmed) {
    if (position > matched[from] || commit > knownCommit[from]) {
      resendMillis = LEAST_RESEND_MILLIS;
    }
    matched[from] = Math.max(matched[from], position);
    next[from] = Math.max(next[from], matched[from] + 1);
    knownCommit[from] = Math.max(knownCommit[from], commit);
    confirmedRound[from] = Math.max(confirmedRound[from], confirmed);
    advanceCommit();
    if (holds()) {
      serveReads();
      resendLater();
    }
  }

  void rejected(int from, long otherTerm, long hint) {
    if (otherTerm > term) {
      node.learnTerm(otherTerm);
      return;
    }
    next[from] = Math.max(matched[from] + 1, Math.min(next[from], hint + 1));
    send(from);
  }

  private long[] ofVoters(long[] ofMembers) {
    return Arrays.copyOf(ofMembers, world.nodes());
  }

  private void advanceCommit() {
    long[] positions = ofVoters(matched);
    positions[node.number] = node.disk.last();
    Arrays.sort(positions);
    long byMajority = positions[(positions.length - 1) / 2];
    if (byMajority > node.commit() && node.disk.termAt(byMajority) == term) {
      world.trace().note("commit", node.number, byMajority, null);
      node.committed(byMajority);
    }
  }

  /**
   * Lets the door read once a majority has confirmed this term after now, and all that was
   * committed is applied.
   */
  void confirm(Door.Reads waiting) {
    round++;
    reads.add(new Read(round, Math.max(node.commit(), firstPosition), waiting));
    for (int other = 0; other < next.length; other++) {
      if (isOther(other)) {
        send(other);
      }
    }
    serveReads();
    resendLater();
  }

  void serveReads() {
    if (reads.isEmpty()) {
      return;
    }
    long[] rounds = ofVoters(confirmedRound);
    rounds[node.number] = round;
    Arrays.sort(rounds);
    long byMajority = rounds[(rounds.length - 1) / 2];
    while (!reads.isEmpty()) {
      Read first = reads.get(0);
      if (first.round() > byMajority || first.position() > node.applied()) {
        return;
      }
      reads.remove(0);
      node.doorstep().confirmed(first.reads());
    }
  }

  /** It is over; gives what nobody has confirmed. */
  List<Door.Reads> end() {
    List<Door.Reads> unconfirmed = reads.stream().map(Read::reads).toList();
    reads.clear();
    return unconfirmed;
  }

  long firstPosition() {
    return firstPosition;
  }
}
