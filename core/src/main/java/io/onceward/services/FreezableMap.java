package io.onceward.services;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map that can be frozen at any moment without a copy. Keys and values must not change
 * once they are in it.
 *
 * <p>It is a B+ tree whose pages remember in which epoch they were made. Freezing begins a new
 * epoch; a page of an earlier one is copied before it is changed, with the path to it, and never
 * touched again. So a write costs a copy only the first time after a freeze, and nothing is copied
 * while nobody freezes.
 *
 * <p>One thread changes and reads it; a {@link View} may be read by any.
 */
final class FreezableMap<K extends Comparable<K>, V> {
  private static final int WIDTH = 64;

  /** A page that is emptier than this looks for a neighbour to join. */
  private static final int SPARSE = WIDTH / 4;

  /**
   * A leaf has a value in each slot, an inner page a page. In an inner page {@code keys[i]} is not
   * above any key in slot i, and above all keys in the slots before; {@code keys[0]} means nothing.
   */
  private static final class Page {
    final long epoch;
    final boolean leaf;
    final @Nullable Object[] keys;
    final @Nullable Object[] slots;
    int size;

    Page(long epoch, boolean leaf) {
      this.epoch = epoch;
      this.leaf = leaf;
      this.keys = new Object[WIDTH];
      this.slots = new Object[WIDTH];
    }

    void insert(int at, Object key, Object slot) {
      System.arraycopy(keys, at, keys, at + 1, size - at);
      System.arraycopy(slots, at, slots, at + 1, size - at);
      keys[at] = key;
      slots[at] = slot;
      size++;
    }

    void remove(int at) {
      size--;
      System.arraycopy(keys, at + 1, keys, at, size - at);
      System.arraycopy(slots, at + 1, slots, at, size - at);
      keys[size] = null;
      slots[size] = null;
    }

    /** Adds what another page has from {@code at} on. */
    void append(Page other, int at) {
      int count = other.size - at;
      System.arraycopy(other.keys, at, keys, size, count);
      System.arraycopy(other.slots, at, slots, size, count);
      size += count;
    }

    void cut(int newSize) {
      Arrays.fill(keys, newSize, size, null);
      Arrays.fill(slots, newSize, size, null);
      size = newSize;
    }

    Page page(int at) {
      return (Page) Objects.requireNonNull(slots[at]);
    }
  }

  /** Hears entries in order. */
  @FunctionalInterface
  interface Visitor<K, V, X extends Exception> {
    /** Whether to go on. */
    boolean visit(K key, V value) throws X;
  }

  /** The map as it was when it was frozen. */
  static final class View<K extends Comparable<K>, V> {
    private final Page root;
    private final int size;

    private View(Page root, int size) {
      this.root = root;
      this.size = size;
    }

    int size() {
      return size;
    }

    <X extends Exception> void forEach(Visitor<K, V, X> visitor) throws X {
      walk(root, null, visitor);
    }
  }

  private long epoch;
  private Page root = new Page(0, true);
  private int size;

  /** What the last change took out. */
  private @Nullable V replaced;

  int size() {
    return size;
  }

  @Nullable V get(K key) {
    Page page = root;
    while (!page.leaf) {
      page = page.page(slotFor(page, key));
    }
    int at = search(page, key);
    return at < 0 ? null : valueAt(page, at);
  }

  /** Hears the entries from {@code from} on, in order. */
  <X extends Exception> void forEachFrom(K from, Visitor<K, V, X> visitor) throws X {
    walk(root, from, visitor);
  }

  /** What the map is now, for good; takes no time. */
  View<K, V> freeze() {
    epoch++;
    return new View<>(root, size);
  }

  /** Gives what stood there before. */
  @Nullable V put(K key, V value) {
    replaced = null;
    root = own(root);
    Page right = insert(root, key, value, true);
    if (right != null) {
      Page above = new Page(epoch, false);
      above.insert(0, keyOf(right, 0), root);
      above.insert(1, keyOf(right, 0), right);
      root = above;
    }
    if (replaced == null) {
      size++;
    }
    return replaced;
  }

  /** Gives what stood there before. */
  @Nullable V remove(K key) {
    if (get(key) == null) {
      return null;
    }
    root = own(root);
    delete(root, key);
    while (!root.leaf && root.size == 1) {
      root = root.page(0);
    }
    size--;
    return replaced;
  }

  /**
   * Gives the page that split off to the right, if one did.
   *
   * @param last whether no other page of this height has greater keys
   */
  private @Nullable Page insert(Page page, K key, V value, boolean last) {
    if (page.leaf) {
      int at = search(page, key);
      if (at >= 0) {
        replaced = valueAt(page, at);
        page.slots[at] = value;
        return null;
      }
      return insert(page, -at - 1, key, value, last);
    }
    int slot = slotFor(page, key);
    Page child = own(page.page(slot));
    page.slots[slot] = child;
    Page right = insert(child, key, value, last && slot == page.size - 1);
    return right == null ? null : insert(page, slot + 1, keyOf(right, 0), right, last);
  }

  private @Nullable Page insert(Page page, int at, Object key, Object slot, boolean last) {
    if (page.size < WIDTH) {
      page.insert(at, key, slot);
      return null;
    }
    Page right = new Page(epoch, page.leaf);
    // Entries that come in order, as from a snapshot, leave full pages behind. Only at the end of
    // the map: keys that descend towards a full page elsewhere would get a page each.
    int middle = at == WIDTH && last ? WIDTH : WIDTH / 2;
    right.append(page, middle);
    page.cut(middle);
    if (at > middle || middle == WIDTH) {
      right.insert(at - middle, key, slot);
    } else {
      page.insert(at, key, slot);
    }
    return right;
  }

  /** Takes out a key that is there. */
  private void delete(Page page, K key) {
    if (page.leaf) {
      int at = search(page, key);
      replaced = valueAt(page, at);
      page.remove(at);
      return;
    }
    int slot = slotFor(page, key);
    Page child = own(page.page(slot));
    page.slots[slot] = child;
    delete(child, key);
    if (child.size < SPARSE) {
      join(page, slot, child);
    }
  }

  /**
   * Joins a sparse page with its smaller neighbour, or shares with it if one page cannot hold both.
   * So no page but those at the right edge stays sparse, whatever is taken out in which order.
   */
  private void join(Page parent, int slot, Page child) {
    if (parent.size == 1) {
      if (child.size == 0) {
        parent.remove(0);
      }
      return;
    }
    boolean rightwards =
        slot == 0
            || slot + 1 < parent.size && parent.page(slot + 1).size < parent.page(slot - 1).size;
    int left = rightwards ? slot : slot - 1;
    Page first = own(parent.page(left));
    parent.slots[left] = first;
    int border = first.size;
    int inAll = border + parent.page(left + 1).size;
    if (inAll > WIDTH) {
      Page second = own(parent.page(left + 1));
      parent.slots[left + 1] = second;
      if (!second.leaf) {
        second.keys[0] = parent.keys[left + 1];
      }
      share(first, second, inAll / 2);
      parent.keys[left + 1] = second.keys[0];
      return;
    }
    Page second = parent.page(left + 1);
    first.append(second, 0);
    if (!first.leaf && second.size > 0) {
      first.keys[border] = parent.keys[left + 1];
    }
    parent.remove(left + 1);
  }

  /** Moves entries over the border until the first page has this many. */
  private static void share(Page first, Page second, int newSize) {
    Page moved = new Page(first.epoch, first.leaf);
    moved.append(first, 0);
    Page rest = new Page(first.epoch, first.leaf);
    rest.append(second, 0);
    first.cut(0);
    second.cut(0);
    for (Page from : new Page[] {moved, rest}) {
      for (int i = 0; i < from.size; i++) {
        Page to = first.size < newSize ? first : second;
        to.keys[to.size] = from.keys[i];
        to.slots[to.size] = from.slots[i];
        to.size++;
      }
    }
  }

  /** The page itself, or a copy if it is older than the last freeze. */
  private Page own(Page page) {
    if (page.epoch == epoch) {
      return page;
    }
    Page copy = new Page(epoch, page.leaf);
    copy.append(page, 0);
    return copy;
  }

  private static <K extends Comparable<K>, V, X extends Exception> boolean walk(
      Page page, @Nullable K from, Visitor<K, V, X> visitor) throws X {
    int at = 0;
    if (from != null) {
      int found = page.leaf ? search(page, from) : slotFor(page, from);
      at = found < 0 ? -found - 1 : found;
    }
    for (int i = at; i < page.size; i++) {
      boolean goOn =
          page.leaf
              ? visitor.visit(FreezableMap.<K>keyOf(page, i), FreezableMap.<V>valueAt(page, i))
              : walk(page.page(i), i == at ? from : null, visitor);
      if (!goOn) {
        return false;
      }
    }
    return true;
  }

  /** The last slot whose key is not above, or the first one. */
  private static <K extends Comparable<K>> int slotFor(Page page, K key) {
    int low = 1;
    int high = page.size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (FreezableMap.<K>keyOf(page, middle).compareTo(key) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  /** Where the key is, or minus one minus where it would be. */
  private static <K extends Comparable<K>> int search(Page page, K key) {
    int low = 0;
    int high = page.size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      int order = FreezableMap.<K>keyOf(page, middle).compareTo(key);
      if (order == 0) {
        return middle;
      } else if (order < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return -low - 1;
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <K> K keyOf(Page page, int at) {
    return (K) Objects.requireNonNull(page.keys[at]);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <V> V valueAt(Page page, int at) {
    return (V) Objects.requireNonNull(page.slots[at]);
  }
}
