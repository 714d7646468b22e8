package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.wire.Difference;
import io.onceward.wire.Member;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A name survives a loss of power once the folder that holds it is synced. */
class SyncedFoldersTest {
  @TempDir Path temp;

  @Test
  void everyFolderAboveTheVotesOfANewNodeIsSynced() throws Exception {
    Path data = temp.resolve("made/for/it");
    Member self = FreePorts.members(1, i -> "n1").get(0);
    Set<Path> synced =
        syncedBy(
            () -> {
              try (OncewardServer server =
                  OncewardServer.start(
                      ServerSettings.of(data, self, List.of(self)), new AddingService())) {
                RawClient.await(server.ready());
              }
            });
    assertThat(synced).contains(temp, temp.resolve("made"), temp.resolve("made/for"));
    assertThat(synced).containsAll(foldersIn(data));
  }

  @Test
  void alarmAboutAReplicaThatDiffersLasts_E8() throws Exception {
    DifferenceFile file = new DifferenceFile(temp);
    Difference found = new Difference(7, "own", "other");
    assertThat(syncedBy(() -> file.write(found)))
        .contains(temp, temp.resolve("differs.properties.new"));
    assertThat(new DifferenceFile(temp).read()).isEqualTo(found);
    assertThat(syncedBy(() -> file.write(null))).contains(temp);
    assertThat(new DifferenceFile(temp).read()).isNull();
  }

  private interface Work {
    void run() throws Exception;
  }

  /** Which files and folders are synced meanwhile. */
  private Set<Path> syncedBy(Work work) throws Exception {
    Path recorded = temp.resolve("synced.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("jdk.FileForce").withThreshold(Duration.ZERO).withoutStackTrace();
      recording.start();
      work.run();
      recording.stop();
      recording.dump(recorded);
    }
    Set<Path> synced = new HashSet<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(recorded)) {
      synced.add(Path.of(event.getString("path")));
    }
    return synced;
  }

  /** All that were made, beside those of snapshots, which are synced when there is one. */
  private static List<Path> foldersIn(Path data) throws Exception {
    try (Stream<Path> all = Files.walk(data)) {
      return all.filter(Files::isDirectory).filter(path -> !path.endsWith("sm")).toList();
    }
  }
}
