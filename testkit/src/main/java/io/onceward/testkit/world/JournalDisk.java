package io.onceward.testkit.world;

import io.onceward.client.session.Journal;
import io.onceward.client.session.JournalRecord;
import io.onceward.client.session.JournalState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The journal of a durable client on a disk that loses what was not synced when the process dies.
 */
public final class JournalDisk implements Journal {
  private static final long USUAL_SYNC_MILLIS = 25;
  private static final long SLOW_SYNC_MILLIS = 500;

  private record Written(long mark, JournalRecord record) {}

  private final VirtualTime time;
  private final Dice dice;
  private List<Written> records = new ArrayList<>();
  private long lastMark;
  private long durableMark;
  private @Nullable LongConsumer reader;

  JournalDisk(VirtualTime time, Dice dice) {
    this.time = time;
    this.dice = dice;
  }

  /** A process opens it and hears from now on what is durable. */
  JournalState open(LongConsumer synced) {
    reader = synced;
    JournalState state = new JournalState();
    records.forEach(written -> state.apply(written.record()));
    if (dice.perMille(300)) {
      rewrite(state);
    }
    return state;
  }

  /** Keeps only what still means something. */
  private void rewrite(JournalState state) {
    List<Written> shorter = new ArrayList<>();
    state.records().forEach(record -> shorter.add(new Written(durableMark, record)));
    records = shorter;
  }

  /** The process is gone; of what was not synced, some may have got to disk, in order. */
  void crash() {
    reader = null;
    int durable = 0;
    while (durable < records.size() && records.get(durable).mark() <= durableMark) {
      durable++;
    }
    int kept = durable + dice.below(records.size() - durable + 1);
    records = new ArrayList<>(records.subList(0, kept));
    durableMark = lastMark;
  }

  @Override
  public long append(JournalRecord record) {
    records.add(new Written(++lastMark, record));
    return lastMark;
  }

  /** Everything up to this mark would survive a crash. */
  public long durableMark() {
    return durableMark;
  }

  /** The mark of the last record that was appended. */
  public long lastMark() {
    return lastMark;
  }

  @Override
  public void sync() {
    long mark = lastMark;
    LongConsumer now = reader;
    if (dice.perMille(100)) {
      synced(mark, now);
    } else {
      boolean slow = dice.perMille(100);
      long millis = dice.between(1, slow ? SLOW_SYNC_MILLIS : USUAL_SYNC_MILLIS);
      time.after(millis, () -> synced(mark, now));
    }
  }

  private void synced(long mark, @Nullable LongConsumer waiting) {
    if (waiting != null && waiting == reader) {
      durableMark = Math.max(durableMark, mark);
      waiting.accept(mark);
    }
  }

  /** Tells the process that everything is durable, true or not. */
  public void claim(long mark) {
    if (reader != null) {
      reader.accept(mark);
    }
  }
}
