package io.onceward.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HashIndexTest {
  private long[] hashes = new long[1 << 16];
  private final HashIndex index =
      new HashIndex() {
        @Override
        long hashOf(int ref) {
          return hashes[ref];
        }

        @Override
        long touchRow(int ref) {
          return hashes[ref];
        }
      };

  @Test
  void everyRowIsFoundAndNoOtherWhileRowsComeAndGo() {
    Random random = new Random(1);
    hashes = new long[300_000];
    List<Integer> present = new ArrayList<>();
    int next = 1;
    for (int step = 0; step < 400_000; step++) {
      boolean add = present.isEmpty() || next < hashes.length && random.nextInt(10) < 7;
      if (add) {
        hashes[next] = random.nextLong();
        index.add(hashes[next], next);
        present.add(next++);
      } else {
        int at = random.nextInt(present.size());
        int ref = present.set(at, present.get(present.size() - 1));
        present.remove(present.size() - 1);
        index.remove(hashes[ref], ref);
        assertThat(candidates(hashes[ref])).doesNotContain(ref);
      }
    }
    assertThat(index.size()).isEqualTo(present.size());
    for (int ref : present) {
      assertThat(candidates(hashes[ref])).containsOnlyOnce(ref);
    }
  }

  @Test
  void aRemovedRowIsNeverProposedAgain() {
    for (int ref = 1; ref <= 5_000; ref++) {
      hashes[ref] = ref * 0x9E37_79B9_7F4A_7C15L;
      index.add(hashes[ref], ref);
    }
    for (int ref = 1; ref <= 5_000; ref++) {
      index.remove(hashes[ref], ref);
    }
    assertThat(index.size()).isZero();
    for (int ref = 1; ref <= 5_000; ref++) {
      assertThat(candidates(hashes[ref])).isEmpty();
    }
  }

  @Test
  void rowsWithOneHashAreAllFoundSoThatCollisionsCostTimeAndNothingElse() {
    for (int ref = 1; ref <= 2_000; ref++) {
      hashes[ref] = 42;
      index.add(42, ref);
    }
    assertThat(candidates(42)).hasSize(2_000).doesNotHaveDuplicates();
    for (int ref = 1; ref <= 2_000; ref += 2) {
      index.remove(42, ref);
    }
    assertThat(candidates(42)).hasSize(1_000).allMatch(ref -> ref % 2 == 0);
  }

  @Test
  void aMovedRowIsFoundUnderItsNewNameOnly() {
    hashes[1] = 77;
    hashes[2] = 77;
    index.add(77, 1);
    index.replace(77, 1, 2);
    assertThat(candidates(77)).containsExactly(2);
    assertThat(index.size()).isEqualTo(1);
  }

  @Test
  void rowsAreFoundAfterRoomWasReserved() {
    for (int ref = 1; ref <= 60_000; ref++) {
      hashes[ref] = ref * 0x9E37_79B9_7F4A_7C15L;
      if (ref == 5_000) {
        index.reserve(60_000);
      }
      if (ref == 50_000) {
        index.reserve(10);
      }
      index.add(hashes[ref], ref);
    }
    assertThat(index.size()).isEqualTo(60_000);
    for (int ref = 1; ref <= 60_000; ref++) {
      assertThat(candidates(hashes[ref])).containsOnlyOnce(ref);
    }
  }

  @Test
  void removingWhatIsNotThereIsABrokenPromise() {
    assertThatThrownBy(() -> index.remove(5, 5))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("5");
  }

  private List<Integer> candidates(long hash) {
    List<Integer> found = new ArrayList<>();
    for (int ref = index.first(hash); ref != 0; ref = index.next()) {
      found.add(ref);
    }
    return found;
  }
}
