package io.onceward.replica;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.ClusterId;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Scope;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that can stand in the log. A client frames its request once ({@link RequestCodec});
 * the same bytes travel to the log and are judged from there. Who asks is not in the request: the
 * gateway knows the principal and puts it beside the frame ({@link LogEntry}).
 */
public sealed interface Request {

  /**
   * Where a session's messages belong.
   *
   * @param clusterTag {@link ClusterId#tag()} of the cluster that opened the session
   * @param session the incarnation at which the session was first opened
   * @param incarnation the incarnation that speaks; an earlier one is superseded (S4)
   */
  record Address(long clusterTag, long session, long incarnation) {}

  /**
   * Opens a session (S1-S3).
   *
   * @param name empty for registered clients
   * @param nonceHigh with {@code nonceLow} 128 bits that make a retried opening the same opening
   * @param clusterTag {@link ClusterId#tag()} of the cluster in which the predecessor was opened:
   *     an incarnation of another cluster means nothing here and is refused as {@code NO_SESSION}
   * @param predecessor the incarnation that this one follows: from the journal, or the current one
   *     as just read; 0 if there is none. Ignored for registered clients
   * @param fromJournal whether the client kept a journal; without one it resends nothing, so holes
   *     in an inherited window are abandoned
   * @param window how far to run ahead of the watermark; 0 for the default
   */
  record Open(
      ClientKind kind,
      String name,
      long nonceHigh,
      long nonceLow,
      long clusterTag,
      long predecessor,
      boolean fromJournal,
      boolean ordered,
      int window)
      implements Request {}

  /** A command in a session. */
  record InSession(
      Address address,
      long sequence,
      long watermark,
      @Nullable Fingerprint fingerprint,
      Bytes command)
      implements Request {}

  /** Nothing to ask, but still here (S7). */
  record KeepAlive(Address address, long watermark) implements Request {}

  /** Ends the session (S9). */
  record Close(Address address) implements Request {}

  /** Closes one sequence of a session unless it executed (O2). */
  record AbandonSequence(Address address, long sequence) implements Request {}

  /**
   * A command under a key.
   *
   * @param acknowledged keys of the same scope whose replies the client has taken (K2)
   */
  record Keyed(
      Scope scope,
      Key key,
      @Nullable Fingerprint fingerprint,
      List<Key> acknowledged,
      Bytes command)
      implements Request {}

  /** Acknowledges keys without asking anything (K2). */
  record Acknowledge(Scope scope, List<Key> acknowledged) implements Request {}

  /** Closes a key unless it executed (O2). */
  record AbandonKey(Scope scope, Key key) implements Request {}

  /** A command with no id: always executes (E10). */
  record Unkeyed(Bytes command) implements Request {}

  /** Drops all key records that arrived before the given log time (K4). */
  record Forget(long beforeMillis) implements Request {}

  /**
   * Drops all key records that arrived before the given age (K4). Unlike log time, age goes on
   * whatever the clocks of leaders did (T3), so this reaches every record some day.
   */
  record ForgetByAge(long beforeAgeMillis) implements Request {}

  /** Sets one parameter (T1). */
  record SetParameter(Parameter parameter, long value) implements Request {}

  /**
   * Sets how long keys of a scope are remembered, whoever uses it. The principal that sets
   * something for a scope first pays for it until it is removed.
   *
   * @param retentionMillis 0, with nothing else set, removes what was set
   * @param datedOnly whether undated keys are refused
   */
  record SetScope(Scope scope, long retentionMillis, boolean datedOnly) implements Request {
    /** Whether the standard is to hold for this scope again. */
    public boolean isRemoval() {
      return retentionMillis == 0 && !datedOnly;
    }
  }

  /** From now on {@code name} is the same principal as {@code principal} (L3). */
  record Alias(String name, String principal) implements Request {}

  /** Gives the cluster its id, once, with the first entry (S1). */
  record FormCluster(ClusterId id) implements Request {}

  /**
   * Gives the cluster another id after a restore from a backup, so that clients of the time after
   * the backup are turned away (S1). The entry that carries it is of the former cluster; those that
   * follow are of the new one.
   */
  record ReformCluster(ClusterId former, ClusterId id) implements Request {}

  /**
   * Puts a service in force that every node hosts; a node that does not stops (T1, E8).
   *
   * @param name 1 to 64 bytes
   */
  record EnableService(String name) implements Request {}

  /**
   * A leader names what it answered as failed because an operator had quarantined it, as far as the
   * log had not confirmed it yet (E8). A replica that did otherwise stops.
   *
   * @param upTo how far the leader had applied the log when it said so
   * @param places in order, at most {@link Limits#QUARANTINED}
   */
  record ConfirmQuarantines(long upTo, List<LogPlace> places) implements Request {
    public ConfirmQuarantines {
      places = List.copyOf(places);
    }
  }

  /** Each replica is to compute its digest as of this entry; nothing changes (T1). */
  record CompareDigests() implements Request {}

  /**
   * The digest of the leader's replica; each replica compares its own. Nothing changes (T1).
   *
   * @param position the entry with {@link CompareDigests} that it is of
   * @param digest SHA-256, 32 bytes
   */
  record NameDigest(long position, Bytes digest) implements Request {
    /** Bytes of a SHA-256. */
    public static final int DIGEST_BYTES = 32;
  }

  /** Lets time pass in the log (T3). */
  record Tick() implements Request {}
}
