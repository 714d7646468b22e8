package io.onceward.testkit.world;

import io.onceward.Decision;
import io.onceward.replica.Request;
import java.util.List;

/**
 * Sends crowds of keep-alives for sessions that never were, each of which waits until an entry
 * takes it along: as many as a narrow door could hold, and more (L2).
 */
final class Clinger extends Caller {
  private static final int KEEP_ALIVE_BYTES = 128;
  private static final int CROWDED_PER_MILLE = 60;

  Clinger(World world, String principal) {
    super(world, principal);
  }

  @Override
  void beat() {
    if (world.finishing() || !dice.perMille(CROWDED_PER_MILLE)) {
      return;
    }
    long crowd = 2 * world.scenario().doorLimits().waitingBytes() / KEEP_ALIVE_BYTES;
    for (long i = 0; i < crowd; i++) {
      long session = dice.between(1L, Long.MAX_VALUE / 2);
      Request.Address address = new Request.Address(dice.next(), session, session);
      send(Ask.Copy.of(endpoint(), nextTicket(), principal(), new Request.KeepAlive(address, 1)));
    }
  }

  @Override
  void decided(Request request, Decision decision, long clusterTag) {}

  @Override
  List<String> undecided() {
    return List.of();
  }
}
