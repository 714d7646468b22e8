package io.onceward.services;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FreezableMapTest {
  private final FreezableMap<Integer, String> map = new FreezableMap<>();
  private final TreeMap<Integer, String> model = new TreeMap<>();

  /** Grows, shrinks to nothing, and grows again, with views of many moments still in hand. */
  @Test
  void doesWhatASortedMapDoesAndItsViewsStandStill() {
    SplittableRandom random = new SplittableRandom(1);
    List<FreezableMap.View<Integer, String>> views = new ArrayList<>();
    List<NavigableMap<Integer, String>> copies = new ArrayList<>();
    for (int step = 0; step < 200_000; step++) {
      int phase = step / 40_000;
      int key = random.nextInt(6_000);
      if (random.nextInt(10) < (phase % 2 == 0 ? 8 : 1)) {
        assertThat(map.put(key, "v" + step)).isEqualTo(model.put(key, "v" + step));
      } else {
        assertThat(map.remove(key)).isEqualTo(model.remove(key));
      }
      int asked = random.nextInt(6_000);
      assertThat(map.get(asked)).isEqualTo(model.get(asked));
      assertThat(map.size()).isEqualTo(model.size());
      if (step % 5_000 == 77) {
        views.add(map.freeze());
        copies.add(new TreeMap<>(model));
      }
    }
    for (int i = 0; i < views.size(); i++) {
      assertThat(views.get(i).size()).isEqualTo(copies.get(i).size());
      assertThat(contentOf(views.get(i))).isEqualTo(List.copyOf(copies.get(i).entrySet()));
    }
  }

  @Test
  void emptiesAndFillsInEveryDirection() {
    int count = 20_000;
    for (int direction = 0; direction < 4; direction++) {
      for (int i = 0; i < count; i++) {
        int key = direction % 2 == 0 ? i : count - i;
        map.put(key, "x");
        model.put(key, "x");
      }
      assertSame();
      for (int i = 0; i <= count; i++) {
        int key = direction < 2 ? i : count - i;
        assertThat(map.remove(key)).isEqualTo(model.remove(key));
      }
      assertSame();
      assertThat(map.size()).isZero();
    }
  }

  @Test
  void thinnedPagesAreSharedInEitherDirection() {
    for (boolean descending : new boolean[] {false, true}) {
      int count = 64 * 600;
      for (int i = 0; i < count; i++) {
        map.put(i, "x");
        model.put(i, "x");
      }
      for (int i = 0; i < count; i++) {
        int key = descending ? count - 1 - i : i;
        if (key % 64 != 0) {
          assertThat(map.remove(key)).isEqualTo(model.remove(key));
        }
      }
      assertSame();
      assertThat(pages()).isLessThanOrEqualTo(map.size() / 16 + 4);
      map.freeze();
    }
  }

  /** Full pages, as a restore leaves them, then keys that descend into the gaps between them. */
  @Test
  void descendingKeysShareTheirPages() {
    int gap = 1_000;
    for (int i = 0; i < 10 * 64; i++) {
      map.put(i / 64 * gap + i % 64, "x");
    }
    int before = pages();
    for (int i = 0; i < 10; i++) {
      for (int key = gap - 1; key > 100; key--) {
        map.put(i * gap + key, "x");
      }
    }
    assertThat(pages() - before).isLessThan((map.size() - 640) / 24);
  }

  private int pages() {
    try {
      Field root = FreezableMap.class.getDeclaredField("root");
      root.setAccessible(true);
      return pagesBelow(root.get(map));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the map looks different now", e);
    }
  }

  private static int pagesBelow(Object page) throws ReflectiveOperationException {
    Field slots = page.getClass().getDeclaredField("slots");
    slots.setAccessible(true);
    int count = 1;
    for (Object slot : (Object[]) slots.get(page)) {
      if (slot != null && slot.getClass() == page.getClass()) {
        count += pagesBelow(slot);
      }
    }
    return count;
  }

  @Test
  void beginsWhereItIsAskedTo() {
    for (int i = 0; i < 3_000; i += 3) {
      map.put(i, "v" + i);
      model.put(i, "v" + i);
    }
    for (int from = -1; from < 3_002; from++) {
      List<Integer> heard = new ArrayList<>();
      map.forEachFrom(
          from,
          (key, value) -> {
            heard.add(key);
            return heard.size() < 5;
          });
      List<Integer> expected = model.tailMap(from, true).keySet().stream().limit(5).toList();
      assertThat(heard).isEqualTo(expected);
    }
  }

  /** A page that was joined keeps the bounds of the pages that it took in. */
  @Test
  void sparsePagesDoNotHideKeys() {
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 20; round++) {
      for (int i = 0; i < 30_000; i++) {
        int key = random.nextInt(1_000_000);
        map.put(key, "x");
        model.put(key, "x");
      }
      int stride = 2 + random.nextInt(300);
      for (Integer key : List.copyOf(model.keySet())) {
        if (key % stride != 0) {
          map.remove(key);
          model.remove(key);
        }
      }
      assertSame();
      for (Integer key : model.keySet()) {
        assertThat(map.get(key)).isEqualTo("x");
      }
    }
  }

  @Test
  void changesNothingOfAViewThatIsBeingRead() {
    for (int i = 0; i < 1_000; i++) {
      map.put(i, "before");
    }
    FreezableMap.View<Integer, String> view = map.freeze();
    List<String> heard = new ArrayList<>();
    view.forEach(
        (key, value) -> {
          map.put(key, "after");
          map.remove(key + 1);
          map.put(key + 1, "after");
          map.put(5_000 + key, "after");
          heard.add(value);
          return true;
        });
    assertThat(heard).hasSize(1_000).containsOnly("before");
  }

  private void assertSame() {
    assertThat(contentOf(map.freeze())).isEqualTo(List.copyOf(model.entrySet()));
  }

  private static List<Map.Entry<Integer, String>> contentOf(
      FreezableMap.View<Integer, String> view) {
    List<Map.Entry<Integer, String>> content = new ArrayList<>();
    view.forEach((key, value) -> content.add(Map.entry(key, value)));
    return content;
  }
}
