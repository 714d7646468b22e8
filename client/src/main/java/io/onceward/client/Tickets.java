package io.onceward.client;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The questions of one connection that have no answer yet, by ticket. Tickets count up, and most
 * are answered soon, so they stand in pages of which a page goes when all of it is answered. A
 * question that waits for ten seconds costs one page, not a table of all that came after it.
 */
final class Tickets {

  private static final int PAGE_BITS = 10;
  private static final int PAGE = 1 << PAGE_BITS;
  private static final int SMALLEST = 4;

  private static final class Page {
    final @Nullable Asked[] slots = new Asked[PAGE];
    int live;
  }

  /** Pages from {@link #firstPage} to that of {@link #next}, each at its number modulo length. */
  private @Nullable Page[] pages = new Page[SMALLEST];

  private long firstPage;
  private long next;

  /** Gives a question the next ticket. */
  long add(Asked asked) {
    long number = next >>> PAGE_BITS;
    Page page = pages[index(number)];
    if (page == null || (next & (PAGE - 1)) == 0) {
      page = turn(number);
    }
    page.slots[(int) next & (PAGE - 1)] = asked;
    page.live++;
    return next++;
  }

  private Page turn(long number) {
    while (firstPage < number && pages[index(firstPage)] == null) {
      firstPage++;
    }
    if (number - firstPage >= pages.length) {
      @Nullable Page[] grown = new Page[pages.length * 2];
      for (long each = firstPage; each < number; each++) {
        grown[(int) each & (grown.length - 1)] = pages[index(each)];
      }
      pages = grown;
    }
    Page page = new Page();
    pages[index(number)] = page;
    return page;
  }

  /** The question that an answer belongs to; null if it was answered before, or never asked. */
  @Nullable Asked take(long ticket) {
    long number = ticket >>> PAGE_BITS;
    if (ticket < 0 || ticket >= next || number < firstPage) {
      return null;
    }
    Page page = pages[index(number)];
    if (page == null) {
      return null;
    }
    int slot = (int) ticket & (PAGE - 1);
    Asked asked = page.slots[slot];
    if (asked != null) {
      page.slots[slot] = null;
      if (--page.live == 0 && number != next >>> PAGE_BITS) {
        pages[index(number)] = null;
      }
    }
    return asked;
  }

  /** Takes all that is left. */
  List<Asked> takeAll() {
    List<Asked> all = new ArrayList<>();
    for (long ticket = firstPage << PAGE_BITS; ticket < next; ticket++) {
      if (pages[index(ticket >>> PAGE_BITS)] == null) {
        ticket |= PAGE - 1;
        continue;
      }
      Asked asked = take(ticket);
      if (asked != null) {
        all.add(asked);
      }
    }
    return all;
  }

  private int index(long page) {
    return (int) page & (pages.length - 1);
  }
}
