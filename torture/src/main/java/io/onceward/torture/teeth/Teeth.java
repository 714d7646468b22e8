package io.onceward.torture.teeth;

import io.onceward.testkit.history.Finding;
import io.onceward.torture.Conclusion;
import io.onceward.torture.Run;
import io.onceward.torture.TortureArguments;
import io.onceward.torture.disk.LoopDisk;
import io.onceward.torture.disk.VoteTrial;
import io.onceward.torture.hostile.AttackTrial;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Plants a mistake and tortures until somebody notices. */
public final class Teeth {
  private static final int SECONDS = 25;
  private static final int PER_SECOND = 2_000;

  /** Only some faults last for so long that a pause can show in them. */
  private static final int SECONDS_FOR_PAUSES = 45;

  /** By chance a mistake may do no harm once; three times in a row it is not by chance. */
  private static final int TRIES = 3;

  private Teeth() {}

  /**
   * How a mistake was found.
   *
   * @param by the name of the check; empty if nobody noticed
   */
  public record Catch(PlantedBug bug, String by, String what, int tries) {
    public boolean found() {
      return !by.isEmpty();
    }
  }

  /** A folder for a run. */
  public interface Folders {
    Path fresh() throws IOException;
  }

  /** Tries to find one mistake. */
  public static Catch hunt(PlantedBug bug, long seed, Folders folders, Consumer<String> teller)
      throws Exception {
    if (bug == PlantedBug.VOTES_NOT_SYNCED) {
      return huntForLostVotes(folders);
    }
    if (bug == PlantedBug.ACKNOWLEDGED_WITH_EVERY_COPY) {
      return huntByAttack(bug, "acknowledgements", folders);
    }
    for (int attempt = 1; attempt <= TRIES; attempt++) {
      Path folder = folders.fresh();
      TortureArguments arguments =
          TortureArguments.ofTeeth(
              bug.takesLong() ? SECONDS_FOR_PAUSES : SECONDS,
              seed + attempt,
              PER_SECOND,
              bug.faults());
      try (Run run =
          new Run(
              new Run.Plan(arguments, folder, Agent.planting(bug, folder)), teller, done -> {})) {
        Conclusion conclusion = run.play();
        for (Finding finding : conclusion.findings()) {
          if (!finding.holds()) {
            return new Catch(bug, finding.name(), finding.violations().get(0), attempt);
          }
        }
        if (!conclusion.violations().isEmpty()) {
          return new Catch(bug, "the run itself", conclusion.violations().get(0), attempt);
        }
      } catch (IOException stopped) {
        return new Catch(bug, "the run itself", String.valueOf(stopped.getMessage()), attempt);
      }
    }
    return new Catch(bug, "", "nobody noticed", TRIES);
  }

  /** Requests hardly show it: with each entry that is synced, the votes before it are too. */
  private static Catch huntForLostVotes(Folders folders) throws IOException {
    PlantedBug bug = PlantedBug.VOTES_NOT_SYNCED;
    for (int attempt = 1; attempt <= TRIES; attempt++) {
      Path folder = folders.fresh();
      if (!LoopDisk.possible(folder)) {
        throw new IOException("disks that lose their power need root, mkfs.ext4 and xfs_io");
      }
      VoteTrial.Vote vote = VoteTrial.play(folder, Agent.planting(bug, folder).servers());
      if (vote.isForgotten()) {
        String what = "voted for " + vote.given() + ", and its disk says " + vote.kept();
        return new Catch(bug, "a power cut after a vote", what, attempt);
      }
    }
    return new Catch(bug, "", "nobody noticed", TRIES);
  }

  /** Only somebody hostile asks in such a way that it shows. */
  private static Catch huntByAttack(PlantedBug bug, String attack, Folders folders)
      throws Exception {
    for (int attempt = 1; attempt <= TRIES; attempt++) {
      Path folder = folders.fresh();
      List<String> complaints =
          AttackTrial.play(attack, folder, Agent.planting(bug, folder).servers());
      if (!complaints.isEmpty()) {
        return new Catch(bug, "the attack " + attack, complaints.get(0), attempt);
      }
    }
    return new Catch(bug, "", "nobody noticed", TRIES);
  }
}
