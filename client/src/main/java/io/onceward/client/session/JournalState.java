package io.onceward.client.session;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.Reply;
import io.onceward.replica.Limits;
import io.onceward.replica.Request;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a run of {@link JournalRecord}s means: which opening is under way, which session is open,
 * and every request that is undecided or whose decision the application has not taken.
 *
 * <p>A sequence below {@link #nextSequence()} that has no entry is finished: it was decided and its
 * reply was taken. {@link #records()} gives the shortest run that means the same.
 */
public final class JournalState {

  /** A request in the journal. */
  public static final class Entry {
    private final String tag;
    private final long sequence;
    private final @Nullable Fingerprint fingerprint;
    private final Bytes payload;
    private Request.@Nullable Address left;
    private @Nullable Decision decision;

    private Entry(String tag, long sequence, @Nullable Fingerprint fingerprint, Bytes payload) {
      this.tag = tag;
      this.sequence = sequence;
      this.fingerprint = fingerprint;
      this.payload = payload;
    }

    /** What the application calls it. */
    public String tag() {
      return tag;
    }

    public long sequence() {
      return sequence;
    }

    public @Nullable Fingerprint fingerprint() {
      return fingerprint;
    }

    public Bytes payload() {
      return payload;
    }

    /** What was decided; null if that is not known (yet). */
    public @Nullable Decision decision() {
      return decision;
    }

    /** The session that it was left by, which is over; null if it belongs to the present one. */
    public Request.@Nullable Address left() {
      return left;
    }
  }

  private final Map<String, Entry> byTag = new LinkedHashMap<>();
  private final TreeMap<Long, Entry> present = new TreeMap<>();
  private Request.@Nullable Open opening;
  private Request.@Nullable Address address;
  private long nextSequence = 1;

  /** Whether this sequence was asked in the present session and its decision is not written. */
  public boolean awaits(long sequence) {
    Entry entry = present.get(sequence);
    return entry != null && entry.decision == null;
  }

  /** The opening that was written and not answered. */
  public Request.@Nullable Open opening() {
    return opening;
  }

  /** The session that this client had when it wrote last. */
  public Request.@Nullable Address address() {
    return address;
  }

  /** The lowest sequence that was never used. */
  public long nextSequence() {
    return nextSequence;
  }

  /** All that the application has not taken, in the order in which it was asked. */
  public List<Entry> entries() {
    return List.copyOf(byTag.values());
  }

  public @Nullable Entry entry(String tag) {
    return byTag.get(tag);
  }

  /** The undecided requests of the present session, in sequence order; holes have no tag. */
  List<Entry> undecided() {
    List<Entry> undecided = new ArrayList<>();
    for (Entry entry : present.values()) {
      if (entry.decision == null) {
        undecided.add(entry);
      }
    }
    return undecided;
  }

  /**
   * Takes one more record into account.
   *
   * @throws IllegalArgumentException if it cannot follow those before it
   */
  public void apply(JournalRecord record) {
    if (record instanceof JournalRecord.Opening r) {
      opening = r.opening();
    } else if (record instanceof JournalRecord.NotOpened) {
      opening = null;
    } else if (record instanceof JournalRecord.Opened r) {
      opening = null;
      address = r.address();
      nextSequence = r.nextSequence();
    } else if (record instanceof JournalRecord.Asked r) {
      require(r.sequence() >= nextSequence && !byTag.containsKey(r.tag()), record);
      Entry entry = new Entry(r.tag(), r.sequence(), r.fingerprint(), r.payload());
      byTag.put(r.tag(), entry);
      present.put(r.sequence(), entry);
      nextSequence = r.sequence() + 1;
    } else if (record instanceof JournalRecord.Holes r) {
      long count = r.end() - r.start();
      require(r.start() >= 1 && count >= 1 && count <= Limits.WINDOW, record);
      for (long sequence = r.start(); sequence < r.end(); sequence++) {
        present.put(sequence, new Entry("", sequence, null, Bytes.EMPTY));
      }
      nextSequence = Math.max(nextSequence, r.end());
    } else if (record instanceof JournalRecord.Decided r) {
      decide(r);
    } else if (record instanceof JournalRecord.Taken r) {
      Entry entry = byTag.remove(r.tag());
      require(entry != null && (entry.decision != null || entry.left != null), record);
      if (entry != null && entry.left == null) {
        present.remove(entry.sequence);
      }
    } else if (record instanceof JournalRecord.Over) {
      over();
    } else if (record instanceof JournalRecord.Left r) {
      require(!byTag.containsKey(r.tag()), record);
      Entry entry = new Entry(r.tag(), r.sequence(), r.fingerprint(), Bytes.EMPTY);
      entry.left = r.address();
      entry.decision = r.decision();
      byTag.put(r.tag(), entry);
    }
  }

  private void decide(JournalRecord.Decided r) {
    Entry entry = present.get(r.sequence());
    if (entry == null || entry.decision != null) {
      throw impossible(r);
    }
    if (entry.tag.isEmpty()) {
      present.remove(r.sequence());
      return;
    }
    // The command is of no more use; its fingerprint still tells whether the tag is used for
    // another.
    Entry decided = new Entry(entry.tag, entry.sequence, entry.fingerprint, Bytes.EMPTY);
    decided.decision = owned(r.decision());
    byTag.replace(entry.tag, decided);
    present.put(entry.sequence, decided);
  }

  /** A decision may be a view into a message; it is kept for longer than that should be. */
  private static Decision owned(Decision decision) {
    return decision instanceof Decision.Replied replied
        ? new Decision.Replied(
            new Reply(replied.reply().kind(), Bytes.of(replied.reply().bytes().toArray())),
            replied.replay(),
            replied.position(),
            replied.timeMillis())
        : decision;
  }

  private void over() {
    Request.Address gone = address;
    for (Entry entry : present.values()) {
      if (gone != null && !entry.tag.isEmpty()) {
        entry.left = gone;
      }
    }
    present.clear();
    opening = null;
    address = null;
    nextSequence = 1;
  }

  /** The shortest run of records that means the same as all that were applied. */
  public List<JournalRecord> records() {
    List<JournalRecord> records = new ArrayList<>();
    for (Entry entry : byTag.values()) {
      if (entry.left != null) {
        records.add(
            new JournalRecord.Left(
                entry.left, entry.sequence, entry.tag, entry.fingerprint, entry.decision));
      }
    }
    if (address != null) {
      long first = present.isEmpty() ? nextSequence : present.firstKey();
      records.add(new JournalRecord.Opened(address, first));
      for (Entry entry : present.values()) {
        if (entry.tag.isEmpty()) {
          records.add(new JournalRecord.Holes(entry.sequence, entry.sequence + 1));
          continue;
        }
        records.add(
            new JournalRecord.Asked(entry.sequence, entry.tag, entry.fingerprint, entry.payload));
        if (entry.decision != null) {
          records.add(new JournalRecord.Decided(entry.sequence, entry.decision));
        }
      }
      if (present.isEmpty() || present.lastKey() + 1 < nextSequence) {
        records.add(new JournalRecord.Opened(address, nextSequence));
      }
    }
    if (opening != null) {
      records.add(new JournalRecord.Opening(opening));
    }
    return records;
  }

  private static void require(boolean possible, JournalRecord record) {
    if (!possible) {
      throw impossible(record);
    }
  }

  private static IllegalArgumentException impossible(JournalRecord record) {
    return new IllegalArgumentException("cannot follow what stands before it: " + record);
  }
}
