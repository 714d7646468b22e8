package io.onceward.testkit.teeth;

import io.onceward.client.session.Journal;
import io.onceward.client.session.JournalRecord;
import io.onceward.testkit.world.JournalDisk;
import io.onceward.testkit.world.Library;

/** What can be wrong with a client's journal. */
final class JournalBugs {
  private JournalBugs() {}

  /** Lets requests out while they are still being written. */
  static final class WrittenAfterSending implements Library {
    @Override
    public Journal around(JournalDisk disk) {
      return new Journal() {
        @Override
        public long append(JournalRecord record) {
          return disk.append(record);
        }

        @Override
        public void sync() {
          disk.claim(disk.lastMark());
          disk.sync();
        }
      };
    }
  }

  /** Takes a decision for written when it is not, until a request makes it sync anyway. */
  static final class DecisionsNotSynced implements Library {
    @Override
    public Journal around(JournalDisk disk) {
      return new Journal() {
        private long otherMark;

        @Override
        public long append(JournalRecord record) {
          long mark = disk.append(record);
          boolean ofReply =
              record instanceof JournalRecord.Decided || record instanceof JournalRecord.Taken;
          otherMark = ofReply ? otherMark : mark;
          return mark;
        }

        @Override
        public void sync() {
          if (otherMark <= disk.durableMark()) {
            disk.claim(disk.lastMark());
          } else {
            disk.sync();
          }
        }
      };
    }
  }

  /** Writes no opening down: whoever comes back makes a new one. */
  static final class NonceNotKept implements Library {
    @Override
    public Journal around(JournalDisk disk) {
      return new Journal() {
        @Override
        public long append(JournalRecord record) {
          return record instanceof JournalRecord.Opening ? disk.lastMark() : disk.append(record);
        }

        @Override
        public void sync() {
          disk.sync();
        }
      };
    }
  }
}
