package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
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

  /** POSIX drops the locks of a process on a file when the process closes it anywhere. */
  @Test
  void secondAttemptHereKeepsOtherProcessesOut() throws Exception {
    try (DataFolder first = DataFolder.take(temp, "n1")) {
      assertThat(first).isNotNull();
      assertThatThrownBy(() -> DataFolder.take(temp, "n1"))
          .hasMessageContaining("is in use by a running server");
      assertThat(tryElsewhere()).contains("is in use by a running server");
    }
    assertThat(tryElsewhere()).isEqualTo("free");
  }

  /** What another process gets when it takes the folder. */
  private String tryElsewhere() throws Exception {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Taker.class.getName(),
                temp.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(other.waitFor()).as(said).isZero();
    return said;
  }

  /** Takes a folder in a process of its own. */
  static final class Taker {
    private Taker() {}

    public static void main(String[] arguments) {
      try {
        DataFolder.take(Path.of(arguments[0]), "n1").close();
        System.out.print("free");
      } catch (IOException refused) {
        System.out.print(refused.getMessage());
      }
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
    assertThatThrownBy(() -> DataFolder.take(file, "n1"))
        .hasMessage(
            "data folder " + file + " cannot be made: " + file + " is a file, not a folder");
    assertThatThrownBy(() -> DataFolder.take(file.resolve("below"), "n1"))
        .hasMessageEndingWith("cannot be made: " + file + " is a file, not a folder");
  }
}
