package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {
  @TempDir Path temp;

  @Test
  void aFolderIsMadeAndTakenAgainByTheSameNode() throws IOException {
    Path folder = temp.resolve("a/b");
    DataFolder.take(folder, "n1").close();
    try (DataFolder again = DataFolder.take(folder, "n1")) {
      assertThat(again.log().getParent()).isEqualTo(folder);
    }
  }

  @Test
  void aFolderInUseIsNotTakenTwice() throws IOException {
    try (DataFolder first = DataFolder.take(temp, "n1")) {
      assertThat(first).isNotNull();
      assertThatThrownBy(() -> DataFolder.take(temp, "n1"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is in use by a running server");
    }
  }

  @Test
  void aFolderOfAnotherNodeIsRefusedAndStaysAsItIs() throws IOException {
    DataFolder.take(temp, "n1").close();
    assertThatThrownBy(() -> DataFolder.take(temp, "n2"))
        .hasMessageContaining("belongs to node n1, not to n2");
    DataFolder.take(temp, "n1").close();
  }

  @Test
  void aFolderOfAnotherFormatIsRefused() throws IOException {
    Files.writeString(temp.resolve("node.properties"), "format=2\nnode=n1\n");
    assertThatThrownBy(() -> DataFolder.take(temp, "n1"))
        .hasMessageContaining("has format 2; this version reads format 1 only");
  }

  @Test
  void aFileInPlaceOfTheFolderIsRefused() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "");
    assertThatThrownBy(() -> DataFolder.take(file, "n1")).hasMessageContaining("cannot be made");
  }
}
