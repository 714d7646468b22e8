package io.onceward.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import org.junit.jupiter.api.Test;

class RequestRingTest {
  /** A journal can hold an undecided 290 and know that 291 to 999 are finished. */
  @Test
  void skippingFarAheadOfAnUndecidedRequestShowsItOnce() {
    RequestRing ring = new RequestRing();
    ring.startAt(290);
    SessionRequest undecided =
        new SessionRequest(SessionRequest.Kind.COMMAND, 290, "", Bytes.EMPTY, null, null);
    ring.add(undecided);
    ring.skipTo(1_000);
    int seen = 0;
    for (long sequence = ring.watermark(); sequence < ring.next(); sequence++) {
      seen += ring.get(sequence) == undecided ? 1 : 0;
    }
    assertThat(seen).isEqualTo(1);
    assertThat(ring.watermark()).isEqualTo(290);
    assertThat(ring.next()).isEqualTo(1_000);
  }

  @Test
  void skippingAnEmptyRingTakesNoMemory() {
    RequestRing ring = new RequestRing();
    ring.skipTo(1L << 40);
    assertThat(ring.watermark()).isEqualTo(1L << 40);
    assertThat(ring.isEmpty()).isTrue();
  }
}
