package io.onceward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ScratchFolderTest {
  @Test
  void itIsGoneWithAllThatIsInItWhenItIsClosed() throws IOException {
    Path path;
    try (ScratchFolder folder = ScratchFolder.create("onceward-scratch-test-")) {
      path = folder.path();
      fill(path);
    }
    assertThat(path).doesNotExist();
  }

  @Test
  void itIsGoneWhenTheProcessIsToldToEnd() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Waiting.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      Path path = Path.of(said.readLine());
      assertThat(path).isNotEmptyDirectory();
      // Unlike the process itself, its handle leaves the child's input open.
      assertThat(process.toHandle().destroy()).isTrue();
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(path).doesNotExist();
    } finally {
      process.destroyForcibly();
    }
  }

  private static void fill(Path path) throws IOException {
    Path inner = Files.createDirectories(path.resolve("a").resolve("b"));
    Files.writeString(inner.resolve("file"), "something");
  }

  /** A program that has a folder, and waits until it is told to end or its parent is gone. */
  static final class Waiting {
    private Waiting() {}

    public static void main(String[] arguments) throws Exception {
      try (ScratchFolder folder = ScratchFolder.create("onceward-scratch-test-")) {
        fill(folder.path());
        System.out.println(folder.path());
        int unused = System.in.read();
      }
    }
  }
}
