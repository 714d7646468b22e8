package io.onceward.torture.hostile;

import java.nio.file.Path;
import java.util.List;

/** One attack on a node of its own: whether the attack is hard enough to show a mistake. */
public final class AttackTrial {
  private static final double SECONDS = 20;
  private static final int WHOLE_CROWDS = 100;

  private AttackTrial() {}

  /**
   * Plays it once.
   *
   * @param attack as it is named on the command line
   * @param folder for the node
   * @param jvmFlags further flags of the node
   * @return what must not be, whatever the machine; empty if the node stood it
   */
  public static List<String> play(String attack, Path folder, List<String> jvmFlags)
      throws Exception {
    Attack.Aimed aimed = Attack.named(attack).orElseThrow();
    try (Victim victim = Victim.start(folder.resolve("victim"), jvmFlags);
        HonestClients honest = new HonestClients(victim.member().clientAddress())) {
      return new Round(victim, honest, false)
          .play(aimed, SECONDS, Round.onAThread(aimed, victim, WHOLE_CROWDS))
          .complaints();
    }
  }
}
