package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

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
    Path recorded = temp.resolve("synced.jfr");
    Member self = FreePorts.members(1, i -> "n1").get(0);
    try (Recording recording = new Recording()) {
      recording.enable("jdk.FileForce").withThreshold(Duration.ZERO).withoutStackTrace();
      recording.start();
      try (OncewardServer server =
          OncewardServer.start(ServerSettings.of(data, self, List.of(self)), new AddingService())) {
        RawClient.await(server.ready());
      }
      recording.stop();
      recording.dump(recorded);
    }
    Set<Path> synced = new HashSet<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(recorded)) {
      synced.add(Path.of(event.getString("path")));
    }
    assertThat(synced).contains(temp, temp.resolve("made"), temp.resolve("made/for"));
    assertThat(synced).containsAll(foldersIn(data));
  }

  /** All that were made, beside those of snapshots, which are synced when there is one. */
  private static List<Path> foldersIn(Path data) throws Exception {
    try (Stream<Path> all = Files.walk(data)) {
      return all.filter(Files::isDirectory).filter(path -> !path.endsWith("sm")).toList();
    }
  }
}
