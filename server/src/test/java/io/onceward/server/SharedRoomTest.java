package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedRoomTest {
  private final SharedRoom room = new SharedRoom("things", 100);
  private final List<String> gone = new ArrayList<>();

  private SharedRoom.Tenant tenant(String name) {
    return limit -> gone.add(name + " for " + limit);
  }

  private void hold(SharedRoom.Tenant tenant, long bytes) {
    room.evict(room.hold(tenant, bytes));
  }

  @Test
  void whoeverIsThereLongestGoesFirst() {
    SharedRoom.Tenant old = tenant("old");
    SharedRoom.Tenant young = tenant("young");
    hold(old, 10);
    hold(young, 60);
    hold(old, 40);
    assertThat(gone).isEmpty();
    hold(young, 61);
    assertThat(gone).containsExactly("old for things");
    assertThat(room.bytes()).isEqualTo(61);
  }

  @Test
  void whoComesAgainIsNewAgain() {
    SharedRoom.Tenant first = tenant("first");
    SharedRoom.Tenant second = tenant("second");
    hold(first, 50);
    hold(second, 50);
    hold(first, 0);
    hold(first, 60);
    assertThat(gone).containsExactly("second for things");
  }

  @Test
  void whoIsRenewedIsTheLastToGo() {
    SharedRoom.Tenant reader = tenant("reader");
    hold(reader, 40);
    hold(tenant("silent"), 40);
    room.evict(room.renew(reader, 50));
    assertThat(gone).isEmpty();
    hold(tenant("newcomer"), 20);
    assertThat(gone).containsExactly("silent for things");
    room.evict(room.renew(reader, 0));
    assertThat(room.bytes()).isEqualTo(20);
  }

  @Test
  void asManyGoAsHaveTo() {
    for (int i = 0; i < 10; i++) {
      hold(tenant("t" + i), 10);
    }
    hold(tenant("large"), 75);
    assertThat(gone).hasSize(8).first().isEqualTo("t0 for things");
    assertThat(room.bytes()).isEqualTo(95);
  }

  @Test
  void whoNeedsMoreThanThereIsGoesToo() {
    hold(tenant("small"), 10);
    hold(tenant("giant"), 101);
    assertThat(gone).containsExactly("small for things", "giant for things");
    assertThat(room.bytes()).isZero();
  }

  @Test
  void whoLeftIsNotMissed() {
    SharedRoom.Tenant tenant = tenant("t");
    hold(tenant, 0);
    hold(tenant, 99);
    hold(tenant, 0);
    hold(tenant, 0);
    assertThat(room.bytes()).isZero();
    assertThat(gone).isEmpty();
  }
}
