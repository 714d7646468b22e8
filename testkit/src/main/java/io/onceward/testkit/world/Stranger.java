package io.onceward.testkit.world;

import io.onceward.ClusterId;
import io.onceward.Frozen;
import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.replica.LogEntry;
import io.onceward.replica.LogEntry.Proposal;
import io.onceward.replica.Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * A node that formed a cluster of its own and is then added to this one, as if nobody had looked
 * into its folder. It gets the log and does not vote. Its own log has entries at the positions of
 * those that it lacks, so the engine takes the two for one; the tag in the next entry must tell it
 * otherwise before it changes anything (S1). An operator then clears its folder, and it begins anew
 * like any node that joins.
 */
final class Stranger {
  private static final int PRESENT_PER_MILLE = 200;
  private static final String NODE = "node";

  /** This cluster has formed and is a little further than the other one when the two meet. */
  private static final long MOST_AHEAD = 40;

  private static final long LEAST_ENTRIES = 5;
  private static final long REQUESTS = 20;

  private static final long ASK_AGAIN_MILLIS = 500;

  private final World world;
  private final Dice dice;
  private final Node node;
  private final boolean present;
  private boolean added;

  Stranger(World world, Dice dice) {
    this.world = world;
    this.dice = dice;
    this.present = dice.perMille(PRESENT_PER_MILLE);
    this.node = new Node(world.nodes(), world, new NodeClock(world.time(), 0, 0));
  }

  Node node() {
    return node;
  }

  /** Whether it is a member, and gets the log. */
  boolean added() {
    return added;
  }

  void begin(long activeMillis) {
    if (present) {
      world.time().after(dice.between(1L, activeMillis / 2), this::addWhenAhead);
    }
  }

  private void addWhenAhead() {
    if (world.finishing()) {
      return;
    }
    if (world.resting() || world.positions() < LEAST_ENTRIES + MOST_AHEAD) {
      world.time().after(ASK_AGAIN_MILLIS, this::addWhenAhead);
      return;
    }
    added = true;
    long ownEntries = world.positions() - dice.between(1L, MOST_AHEAD);
    node.disk.install(new Disk.Snapshot(ownEntries, 1, pastUpTo(ownEntries)));
    node.startWithAnotherPast();
  }

  /** What it did before: it formed a cluster and executed a few requests. */
  private byte[] pastUpTo(long last) {
    StateMachine machine =
        world
            .maker()
            .fresh(
                new StateMachine.Place(
                    node.number,
                    node.clock::nowMillis,
                    new WishService(node.number, execution -> {})));
    ClusterId id = new ClusterId(dice.next(), dice.next());
    long stampMillis = node.clock.nowMillis();
    machine.apply(2, 1, entry(0, stampMillis, new Request.FormCluster(id)), null);
    for (long position = Math.max(3, last - REQUESTS); position <= last; position++) {
      Key key = Key.of(Key.Kind.HASH, dice.next(), dice.next());
      Wish wish = new Wish(-position, Wish.Deed.COUNT, 16);
      Request request = new Request.Keyed(Scope.NONE, key, null, List.of(), wish.payload(16));
      machine.apply(position, 1, entry(id.tag(), stampMillis + position, request), null);
    }
    return write(machine.freeze());
  }

  private static byte[] entry(long clusterTag, long stampMillis, Request request) {
    return new LogEntry(clusterTag, stampMillis, List.of(new Proposal(NODE, request))).encode();
  }

  private static byte[] write(Frozen frozen) {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      frozen.writeTo(out);
      return out.toByteArray();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
