package io.onceward.golden;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.replica.Replica;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One member of the cluster on stage: a replica and its own service. */
final class Node {
  /**
   * An entry of the log.
   *
   * @param requests how many requests are in it
   */
  record Logged(long position, long term, byte[] bytes, int requests) {}

  /**
   * What came of applying an entry: a decision per request, or the name of what stopped the node.
   */
  record Heard(List<Decision> decisions, @Nullable String stoppedBy) {}

  private final CounterService service;
  private final Replica replica;
  private boolean stopped;

  private Node(CounterService service, Replica replica) {
    this.service = service;
    this.replica = replica;
  }

  /**
   * A node with nothing in it.
   *
   * @param secret what its replica mixes into its hashes; it must not matter
   */
  static Node fresh(CounterService service, long secret) {
    return new Node(service, new Replica(service, secret));
  }

  static Node restored(CounterService service, long secret, byte[] snapshot) {
    try {
      return new Node(
          service, Replica.restore(service, secret, new ByteArrayInputStream(snapshot)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Replica replica() {
    return replica;
  }

  CounterService service() {
    return service;
  }

  boolean isStopped() {
    return stopped;
  }

  /** Applies an entry as a leader does, with someone listening. */
  Heard apply(Logged entry) {
    List<Decision> heard = new ArrayList<>();
    try {
      replica.apply(
          entry.position(),
          entry.term(),
          entry.bytes(),
          (ordinal, decision) -> {
            if (ordinal != heard.size()) {
              throw new AssertionError(
                  "request " + ordinal + " was decided after " + heard.size() + " others");
            }
            heard.add(kept(decision));
          });
    } catch (StackOverflowError e) {
      stopped = true;
      return new Heard(List.of(), e.getClass().getSimpleName());
    }
    if (heard.size() != entry.requests()) {
      throw new AssertionError(
          heard.size() + " decisions for " + entry.requests() + " requests of one entry");
    }
    return new Heard(heard, null);
  }

  /** Applies an entry as a follower does, with nobody listening. */
  void follow(Logged entry) {
    replica.apply(entry.position(), entry.term(), entry.bytes(), null);
  }

  /** A copy, since a reply's bytes may be a view into the table. */
  private static Decision kept(Decision decision) {
    if (decision instanceof Decision.Replied replied) {
      Reply reply = replied.reply();
      return new Decision.Replied(
          new Reply(reply.kind(), Bytes.of(reply.bytes().toArray())),
          replied.replay(),
          replied.position(),
          replied.timeMillis());
    }
    return decision;
  }

  byte[] snapshot() {
    return written(replica.freeze());
  }

  static byte[] written(Frozen frozen) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      frozen.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}
