package io.onceward.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BlocksTest {
  private final Blocks blocks = new Blocks();
  private final Random random = new Random(7);

  private record Written(int block, int size, byte value) {}

  @Test
  void noTwoBlocksOverlapWhileBlocksComeAndGo() {
    List<Written> live = new ArrayList<>();
    for (int step = 0; step < 30_000; step++) {
      if (live.isEmpty() || random.nextInt(100) < 55) {
        live.add(write(1 + random.nextInt(random.nextInt(50) == 0 ? 40_000 : 200)));
      } else {
        Written gone = live.remove(random.nextInt(live.size()));
        assertHolds(gone, blocks.page(gone.block()));
        blocks.free(gone.block());
      }
    }
    for (Written written : live) {
      assertHolds(written, blocks.page(written.block()));
    }
  }

  @Test
  void aFrozenViewStandsStillWhileBlocksAreWrittenFreedAndReused() {
    List<Written> frozen = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      frozen.add(write(1 + random.nextInt(100)));
    }
    Blocks.View view = blocks.freeze();
    for (Written written : frozen) {
      if (random.nextBoolean()) {
        blocks.free(written.block());
      } else {
        fill(written.block(), written.size(), (byte) ~written.value());
      }
    }
    for (int i = 0; i < 3_000; i++) {
      write(1 + random.nextInt(100));
    }
    for (Written written : frozen) {
      assertHolds(written, view.page(written.block()));
    }
  }

  @Test
  void freedBlocksAreHandedOutAgainBeforeMemoryGrows() {
    List<Integer> first = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      first.add(blocks.allocate(48));
    }
    for (int block : first) {
      blocks.free(block);
    }
    List<Integer> second = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      second.add(blocks.allocate(48));
    }
    assertThat(second).doesNotHaveDuplicates();
    assertThat(pageCount()).isLessThanOrEqualTo(10_000 * 48 / 65_000 + 2);
  }

  /** One block in a hundred stays; it moves with its bytes, and the pages go. */
  @Test
  void blocksMoveOutOfSparsePages() {
    List<Written> live = new ArrayList<>();
    for (int i = 0; i < 200_000; i++) {
      live.add(write(1 + random.nextInt(200)));
    }
    long full = blocks.heldBytes();
    assertThat(blocks.isWasteful()).isFalse();
    List<Written> staying = new ArrayList<>();
    for (int i = 0; i < live.size(); i++) {
      if (i % 100 == 0) {
        staying.add(live.get(i));
      } else {
        blocks.free(live.get(i).block());
      }
    }
    assertThat(blocks.isWasteful()).isTrue();
    Blocks.View view = blocks.freeze();
    blocks.leaveSparsePages();
    List<Written> moved = new ArrayList<>();
    for (Written each : staying) {
      assertThat(blocks.isLeaving(each.block())).isTrue();
      moved.add(new Written(blocks.move(each.block()), each.size(), each.value()));
      moved.add(write(40));
    }
    moved.forEach(each -> assertHolds(each, blocks.page(each.block())));
    staying.forEach(each -> assertHolds(each, view.page(each.block())));
    assertThat(blocks.isWasteful()).isFalse();
    assertThat(blocks.heldBytes()).isLessThan(full / 5);
  }

  /**
   * With a 512th of the pages, and a 512th of the largest table, filled with blocks of one size.
   */
  @Test
  void pagesOutlastTheLargestTable() {
    long most = Parameter.MAX_TABLE_BYTES.most();
    long tableBytes = most + most / 16 >> 9;
    for (int size = 40; size < 1 << 17; size += size < 4_096 ? 127 : 509) {
      fill(size, tableBytes);
    }
    // A reply of 16 KiB with what is kept beside it, and the sizes around a page's share.
    for (int size : new int[] {16_384, 16_385, 16_412, 21_840, 32_760, 32_761, 65_520, 65_521}) {
      fill(size, tableBytes);
    }
  }

  /** Owners account for at least the bytes of a block. */
  private static void fill(int size, long tableBytes) {
    Blocks few = new Blocks(Blocks.MAX_PAGES >> 9);
    for (long used = size; used <= tableBytes; used += size) {
      few.allocate(size);
    }
  }

  @Test
  void theMarksZeroAndOneNameNoBlock() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(blocks.allocate(8)).isNotIn(0, 1);
    }
  }

  private int pageCount() {
    int count = 0;
    for (byte[] page : blocks.view().pages()) {
      count += page == null ? 0 : 1;
    }
    return count;
  }

  private Written write(int size) {
    int block = blocks.allocate(size);
    byte value = (byte) random.nextInt();
    fill(block, size, value);
    return new Written(block, size, value);
  }

  private void fill(int block, int size, byte value) {
    byte[] page = blocks.writable(block);
    int at = Blocks.offset(block);
    for (int i = 0; i < size; i++) {
      page[at + i] = value;
    }
  }

  private static void assertHolds(Written written, byte[] page) {
    int at = Blocks.offset(written.block());
    for (int i = 0; i < written.size(); i++) {
      if (page[at + i] != written.value()) {
        throw new AssertionError("block " + written.block() + " was overwritten at byte " + i);
      }
    }
  }
}
