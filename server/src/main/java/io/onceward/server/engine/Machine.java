package io.onceward.server.engine;

import io.onceward.Frozen;
import io.onceward.wire.Member;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * What the engine drives. {@link #apply}, {@link #freeze} and {@link #restore} never overlap; the
 * other methods may be called at any time, by any thread, and return quickly.
 */
public interface Machine {

  /** A state that stands still until it is closed, written or not. */
  interface View extends Frozen, AutoCloseable {
    @Override
    default void close() {}
  }

  /**
   * Applies a committed entry.
   *
   * @param handle what this process submitted the entry with; null for entries of others
   */
  void apply(long position, long term, byte[] entry, @Nullable Object handle);

  /** The id of the cluster whose entries were applied; empty as long as it has none. */
  String cluster();

  /** The last applied position; 0 if nothing was. */
  long position();

  /**
   * Everything at {@link #position()}, to be written by another thread while applying goes on; null
   * if something else stands frozen, and it is to be asked again later.
   */
  @Nullable View freeze();

  /** Whether a snapshot that is due had better wait for a later entry; asked again with each. */
  default boolean holdsSnapshotBack() {
    return false;
  }

  /** Replaces everything by what {@link Frozen#writeTo} wrote. */
  void restore(InputStream in) throws IOException;

  /** This node leads the term, and has applied everything up to an entry of that term. */
  void leading(long term);

  /** This node does not lead (any more); null if it does not know who does. */
  void following(@Nullable Member leader);

  /** The entry was submitted here and its fate is not known (O3). */
  void lost(Object handle, String reason);

  /**
   * The engine cannot go on: the disk is full, a sync failed, the log is damaged, applying threw.
   * The process is to be stopped; nothing more will be applied.
   *
   * @param what one sentence for the operator
   */
  void failed(String what, Throwable cause);
}
