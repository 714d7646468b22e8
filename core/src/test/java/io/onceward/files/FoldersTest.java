package io.onceward.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

  @Test
  void fileInTheWayIsNoFolder() throws IOException {
    Path file = Files.createFile(temp.resolve("file"));
    assertThatThrownBy(() -> Folders.make(file)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> Folders.make(file.resolve("below"))).isInstanceOf(IOException.class);
  }
}
