package io.onceward.testkit.world;

import io.onceward.Decision;
import io.onceward.replica.Request;
import java.util.List;

/** A client whose commands may happen any number of times: no id, no retry (E10). */
final class UnkeyedClient extends Caller {

  UnkeyedClient(World world, String principal) {
    super(world, principal);
  }

  @Override
  void beat() {
    if (!world.finishing() && dice.perMille(world.scenario().habits().wishPerMille() / 2)) {
      send(new Request.Unkeyed(payload(newWish())));
    }
    if (dice.perMille(200)) {
      lookElsewhere();
    }
  }

  @Override
  void decided(Request request, Decision decision, long clusterTag) {}

  @Override
  List<String> undecided() {
    return List.of();
  }
}
