package io.onceward.testkit.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.testkit.world.Disk.Logged;
import io.onceward.testkit.world.Disk.Snapshot;
import org.junit.jupiter.api.Test;

class DiskTest {
  private final Disk disk = new Disk();

  private void append(long... terms) {
    for (long term : terms) {
      disk.append(new Logged(term, new byte[0]));
    }
  }

  @Test
  void anEmptyDiskEndsAtNothing() {
    assertThat(disk.last()).isZero();
    assertThat(disk.termAt(0)).isZero();
    assertThat(disk.termAt(1)).isEqualTo(-1);
  }

  @Test
  void truncatingDropsTheEnd() {
    append(1, 1, 2);
    disk.truncateFrom(2);
    assertThat(disk.last()).isEqualTo(1);
    assertThat(disk.has(2)).isFalse();
  }

  @Test
  void purgingKeepsWhatIsBehindTheSnapshotIfAsked() {
    append(1, 1, 2, 2);
    disk.save(new Snapshot(3, 2, new byte[0]), 1);
    assertThat(disk.first()).isEqualTo(2);
    assertThat(disk.termAt(1)).isEqualTo(-1);
    assertThat(disk.termAt(4)).isEqualTo(2);
  }

  @Test
  void aSnapshotFromElsewhereReplacesALogThatDoesNotMatch() {
    append(1, 1);
    disk.install(new Snapshot(9, 4, new byte[0]));
    assertThat(disk.last()).isEqualTo(9);
    assertThat(disk.termAt(9)).isEqualTo(4);
    assertThat(disk.has(9)).isFalse();
  }

  @Test
  void aSnapshotFromElsewhereLeavesWhatFollowsItInALogThatMatches() {
    append(1, 1, 2);
    disk.install(new Snapshot(2, 1, new byte[0]));
    assertThat(disk.first()).isEqualTo(3);
    assertThat(disk.last()).isEqualTo(3);
  }

  @Test
  void aTermNeverGoesBack() {
    disk.promise(3);
    assertThatThrownBy(() -> disk.promise(2)).hasMessage("term 2 after 3");
  }
}
