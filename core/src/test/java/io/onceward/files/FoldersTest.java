package io.onceward.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FoldersTest {
  @TempDir Path temp;

  @Test
  void missingFoldersAreMadeAndPresentOnesKept() throws IOException {
    Path deep = temp.resolve("a/b/c");
    Folders.make(deep);
    Files.createFile(deep.resolve("kept"));
    Folders.make(deep);
    assertThat(deep.resolve("kept")).exists();
  }

  /** A folder whose name is lost takes all that was synced in it along. */
  @Test
  void nameOfEachNewFolderIsSynced() throws IOException {
    Path recorded = temp.resolve("synced.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("jdk.FileForce").withThreshold(Duration.ZERO).withoutStackTrace();
      recording.start();
      Folders.make(temp.resolve("a/b/c"));
      recording.stop();
      recording.dump(recorded);
    }
    Set<Path> synced = new HashSet<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(recorded)) {
      synced.add(Path.of(event.getString("path")));
    }
    assertThat(synced).contains(temp, temp.resolve("a"), temp.resolve("a/b"));
  }

  @Test
  void fileInTheWayIsNoFolder() throws IOException {
    Path file = Files.createFile(temp.resolve("file"));
    assertThatThrownBy(() -> Folders.make(file)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> Folders.make(file.resolve("below"))).isInstanceOf(IOException.class);
  }
}
