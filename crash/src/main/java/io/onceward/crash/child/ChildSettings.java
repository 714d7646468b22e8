package io.onceward.crash.child;

import io.onceward.crash.Home;
import io.onceward.crash.PlantedBug;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a child is told on its command line.
 *
 * @param lanes how many requests it works on at once
 * @param callerPort where its callers listen
 * @param database its name; also that of the store in the cluster
 * @param folder for journals
 */
public record ChildSettings(
    Home home,
    @Nullable PlantedBug bug,
    int lanes,
    int callerPort,
    int postgresPort,
    String database,
    int bankPort,
    int clusterPort,
    Path folder) {

  public List<String> words() {
    return List.of(
        home.name(),
        bug == null ? "-" : bug.name(),
        String.valueOf(lanes),
        String.valueOf(callerPort),
        String.valueOf(postgresPort),
        database,
        String.valueOf(bankPort),
        String.valueOf(clusterPort),
        folder.toString());
  }

  static ChildSettings of(List<String> words) {
    return new ChildSettings(
        Home.valueOf(words.get(0)),
        words.get(1).equals("-") ? null : PlantedBug.valueOf(words.get(1)),
        Integer.parseInt(words.get(2)),
        Integer.parseInt(words.get(3)),
        Integer.parseInt(words.get(4)),
        words.get(5),
        Integer.parseInt(words.get(6)),
        Integer.parseInt(words.get(7)),
        Path.of(words.get(8)));
  }

  /** Whether unknown requests of this lane are resolved by a probe, and not by an operator. */
  public static boolean hasProbe(int lane) {
    return lane % 2 == 0;
  }

  /** Whether this lane has a durable name and a journal, and not keys. */
  public static boolean hasJournal(int lane) {
    return lane % 2 == 0;
  }
}
