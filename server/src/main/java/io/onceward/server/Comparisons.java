package io.onceward.server;

import io.onceward.wire.Difference;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether this node's replica is the same as the leader's, without anyone asking. Every
 * so often the log asks each node for the digest of its replica as of that entry; later it names
 * the leader's. A node whose own is another one has a {@link #difference} from then on, until a
 * later digest is compared, or its state is replaced.
 *
 * <p>Nothing of this reaches apply: whether a digest was computed, when, and what came of it, is
 * the matter of one node (T1). Only the last few digests are kept, and one is computed at a time; a
 * node that has missed one compares the next.
 *
 * <p>A plain object, driven by the server's node and by the simulator; one thread at a time.
 */
public final class Comparisons {
  /** The digest of this node's replica as of an entry. */
  public record Own(long position, String digest) {}

  /** A name follows its digest within seconds; what is older than a few will not be named. */
  private static final int KEPT = 4;

  private final TreeMap<Long, String> own = new TreeMap<>();
  private final TreeMap<Long, String> named = new TreeMap<>();
  private boolean computing;
  private boolean outdated;
  private @Nullable Difference difference;

  /** What was compared last: an earlier entry says nothing new. */
  private long compared;

  /** A node that has found this difference before it was restarted, or none. */
  public void remember(@Nullable Difference found) {
    difference = found;
    compared = found == null ? 0 : found.position();
  }

  /**
   * The log asks for the digest as of the entry that was applied last.
   *
   * @return whether it is to be computed; then {@link #computed} or {@link #failed} follows
   */
  public boolean begin() {
    if (computing) {
      return false;
    }
    computing = true;
    return true;
  }

  /** Whether a digest is being computed. */
  public boolean isComputing() {
    return computing;
  }

  /** The digest that was begun with the entry at this position. */
  public void computed(long position, String digest) {
    computing = false;
    if (!outdated) {
      keep(own, position, digest);
      compare(position);
    }
    outdated = false;
  }

  /** The digest that was begun could not be computed. */
  public void failed() {
    computing = false;
    outdated = false;
  }

  /** The log names the digest that the leader's replica had. */
  public void named(long position, String digest) {
    keep(named, position, digest);
    compare(position);
  }

  private static void keep(TreeMap<Long, String> digests, long position, String digest) {
    digests.put(position, digest);
    if (digests.size() > KEPT) {
      digests.pollFirstEntry();
    }
  }

  private void compare(long position) {
    String mine = own.get(position);
    String leaders = named.get(position);
    if (mine != null && leaders != null && position >= compared) {
      // Which node was right cannot be seen here: one that was is the same as the next leader.
      compared = position;
      difference = mine.equals(leaders) ? null : new Difference(position, mine, leaders);
    }
  }

  /** The latest digest of this node, if the log has not named one for its entry; else null. */
  public @Nullable Own unnamed() {
    Map.Entry<Long, String> last = own.lastEntry();
    return last == null || named.containsKey(last.getKey())
        ? null
        : new Own(last.getKey(), last.getValue());
  }

  /** How this node differed from a leader when they were compared last; null if it did not. */
  public @Nullable Difference difference() {
    return difference;
  }

  /** The state of this node was replaced by a leader's: what was found about it is over. */
  public void replaced() {
    own.clear();
    outdated = computing;
    compared = 0;
    difference = null;
  }
}
