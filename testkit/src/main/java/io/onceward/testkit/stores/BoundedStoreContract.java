package io.onceward.testkit.stores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.onceward.Bytes;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.Claimed;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/**
 * What a store with a limit of its own passes besides: at the limit it refuses new requests and
 * goes on serving everything it has promised (G1, K6). Here {@link #freshStore} has a limit that
 * fewer than {@link #more} requests meet.
 */
public abstract class BoundedStoreContract extends StoreFixture {
  private static final Reply PAID = Reply.ok("paid");

  /** So many requests do not fit, even if none of them has a reply yet. */
  protected int more() {
    return 100;
  }

  private int fill(ClaimTerms terms) {
    for (int i = 0; i < more(); i++) {
      Claimed claimed = store().claim(ask("filler " + i), terms);
      if (claimed instanceof Claimed.Refused refused) {
        assertEquals(Refusal.OVERLOADED, refused.refusal());
        assertFalse(refused.limit().isEmpty(), "a refusal names the limit");
        assertTrue(i > 1, "there is room for a few");
        return i;
      }
      assertStarted(1, claimed);
    }
    throw new AssertionError(more() + " requests fit");
  }

  @Test
  public void aFullStoreRefusesNewRequestsOnly() throws Exception {
    int room = fill(lasting());
    for (int i = 0; i < room; i++) {
      assertRunning(store().claim(ask("filler " + i), lasting()));
    }
    Reply large = Reply.ok(Bytes.of(new byte[Math.min(store().maxReplyBytes(), 1 << 20)]));
    assertTrue(store().done(id("filler 0"), 1, large), "what was started has room for its reply");
    assertDone(large, store().claim(ask("filler 0"), lasting()));
    assertTrue(store().unknown(id("filler 1"), 1, "why"));
    assertStarted(2, store().rerun(ask("filler 1"), 1, lasting()));
    assertRefused(Refusal.OVERLOADED, store().claim(ask("one more"), lasting()));
  }

  @Test
  public void nothingThatWasPromisedIsEvicted() throws Exception {
    int room = fill(lasting());
    for (int i = 0; i < room; i++) {
      assertTrue(store().done(id("filler " + i), 1, PAID));
    }
    for (int i = 0; i < more(); i++) {
      store().claim(ask("new " + i), lasting());
    }
    for (int i = 0; i < room; i++) {
      assertDone(PAID, store().claim(ask("filler " + i), lasting()));
    }
  }

  @Test
  public void roomComesBackWithTheSweep() throws Exception {
    int room = fill(soonDropped());
    for (int i = 0; i < room; i++) {
      assertTrue(store().done(id("filler " + i), 1, PAID));
    }
    passShortWhile();
    assertTrue(store().sweep(more()) <= room);
    for (int i = 0; i < room; i++) {
      assertStarted(store().claim(ask("new " + i), lasting()));
    }
  }

  @Test
  public void claimsAtTheSameTimeDoNotPassTheLimitTogether() throws Exception {
    int room = fill(lasting());
    startOver();
    List<Callable<Claimed>> claims = new ArrayList<>();
    for (int i = 0; i < more(); i++) {
      Callable<Claimed> claim = claimOf(i);
      claims.add(claim);
    }
    int started = 0;
    for (Claimed claimed : atOnce(claims)) {
      if (claimed instanceof Claimed.Started) {
        started++;
      } else {
        assertInstanceOf(Claimed.Refused.class, claimed);
      }
    }
    assertTrue(started <= room, started + " started where there is room for " + room);
  }

  private Callable<Claimed> claimOf(int i) {
    return () -> store().claim(ask("filler " + i), lasting());
  }
}
