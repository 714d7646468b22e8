package io.onceward.server;

import io.onceward.Frozen;
import io.onceward.server.engine.Machine;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Lets what freezes the tables take turns: snapshots, digests that the log asks for, and digests
 * that somebody else asks for. What changes while a view stands is there twice, and the heap has
 * room for that once (B5).
 *
 * <p>Snapshots and other people's digests wait; a digest that the log asks for is of one entry and
 * cannot. If it finds another view it is left out, and the next snapshot of this node then waits
 * until the next such digest has had its turn, for at most as many entries as the one before was
 * old: a node that writes snapshots more slowly than its leader would be left out each time.
 */
final class Views {
  private boolean taken;
  private boolean leftOut;
  private long lastSnapshot;
  private long heldUntil;

  /** Takes the turn if nothing stands frozen. */
  synchronized boolean tryTake() {
    if (taken) {
      return false;
    }
    taken = true;
    return true;
  }

  /** The same for a digest that the log asks for. */
  synchronized boolean tryTakeForTheLog() {
    leftOut = !tryTake();
    return !leftOut;
  }

  /** Waits for the turn and takes it. */
  synchronized void take() {
    boolean interrupted = false;
    while (!tryTake()) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * The view is not needed any more.
   *
   * @return whether a digest that the log asked for was left out meanwhile
   */
  synchronized boolean leave() {
    if (!taken) {
      throw new IllegalStateException("no view stands");
    }
    taken = false;
    notifyAll();
    return leftOut;
  }

  /** The tables are those of a snapshot at this position, or were frozen for one. */
  synchronized void snapshotAt(long position) {
    lastSnapshot = position;
    heldUntil = 0;
  }

  /** Whether a snapshot that is due is to wait for a digest. */
  synchronized boolean holdsSnapshotBack(long position) {
    if (!leftOut) {
      heldUntil = 0;
      return false;
    }
    if (heldUntil == 0) {
      heldUntil = position + (position - lastSnapshot);
    }
    leftOut = position < heldUntil;
    return leftOut;
  }

  /** A view for a snapshot, for which the turn was taken; its state goes once it is written. */
  static final class OfSnapshot implements Machine.View {
    private final Runnable leaving;
    private final Runnable written;
    private @Nullable Frozen frozen;

    OfSnapshot(Frozen frozen, Runnable leaving, Runnable written) {
      this.frozen = frozen;
      this.leaving = leaving;
      this.written = written;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      Frozen state = frozen;
      if (state == null) {
        throw new IllegalStateException("the view is closed");
      }
      try {
        state.writeTo(out);
      } finally {
        close();
      }
      written.run();
    }

    @Override
    public void close() {
      if (frozen != null) {
        frozen = null;
        leaving.run();
      }
    }
  }
}
