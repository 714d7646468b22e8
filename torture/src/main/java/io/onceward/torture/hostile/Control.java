package io.onceward.torture.hostile;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The same attack on a second node of this machine, which honest clients do not ask. Attacker,
 * attacked and honest share its cores, its disk and its kernel here; what honest clients notice of
 * an attack on somebody else is not their node's doing.
 */
final class Control {
  private static final int WARM_UP_SECONDS = 10;
  private static final int REHEARSAL_SECONDS = 20;

  private Control() {}

  /** How long honest requests take while the attack goes on elsewhere; the median of rounds. */
  static Latencies of(Attack.Aimed attack, HonestClients honest, Path folder, int seconds)
      throws Exception {
    try (Victim decoy = Victim.start(folder)) {
      try (HonestClients others = new HonestClients(decoy.member().clientAddress())) {
        others.warmUp(WARM_UP_SECONDS);
      }
      Round.Beginning beginning = Round.inAProcess(attack, decoy, 100);
      var unused = during(beginning, honest, REHEARSAL_SECONDS);
      List<Latencies> rounds = new ArrayList<>();
      while (rounds.size() < Judgement.ROUNDS) {
        rounds.add(during(beginning, honest, seconds));
      }
      return Latencies.middle(rounds);
    }
  }

  private static Latencies during(Round.Beginning beginning, HonestClients honest, int seconds)
      throws Exception {
    try (Round.Striking striking = beginning.begin()) {
      Latencies during = honest.ask(seconds);
      var unused = striking.stop();
      return during;
    }
  }
}
