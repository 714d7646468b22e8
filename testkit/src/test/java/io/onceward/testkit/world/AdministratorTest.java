package io.onceward.testkit.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.Auditor;
import io.onceward.testkit.audit.Ledger;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdministratorTest {
  private static final Request FORGET = new Request.Forget(5);

  private final Administrator administrator =
      new World(1, Parts.HONEST, new Auditor(new Ledger(), List.of(), request -> 0), null)
          .administrator();

  @Test
  void copyThatFoundNoRoomDecidesNothing() {
    administrator.wants(FORGET);
    for (String limit : List.of("bytes in flight", "requests in flight on a connection")) {
      administrator.decided(FORGET, new Decision.Refused(Refusal.OVERLOADED, limit), 0);
      assertThat(administrator.undecided()).isNotEmpty();
    }
    administrator.decided(FORGET, new Decision.Forgot(0), 0);
    assertThat(administrator.undecided()).isEmpty();
  }
}
