package io.onceward.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the launcher decides by itself, before it builds or starts anything. */
@Timeout(30)
class LauncherTest {
  private static final Path LAUNCHER = Path.of("..", "onceward");

  @TempDir private Path folder;

  @BeforeAll
  static void needsAShell() {
    assumeTrue(Files.isExecutable(LAUNCHER));
  }

  private record Said(int code, String out, String err) {}

  private static Said launch(Path javaHome, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("sh", LAUNCHER.toString()));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("JAVA_HOME", javaHome.toString());
    Process process = builder.start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Said(process.waitFor(), out, err);
  }

  @Test
  void helpAndVersionNeedNoJava() throws Exception {
    for (String word : List.of("help", "--help", "-h")) {
      assertThat(launch(folder, word)).isEqualTo(new Said(0, Main.overview(), ""));
    }
    assertThat(launch(folder)).isEqualTo(new Said(0, Main.overview(), ""));
    assertThat(launch(folder, "--version")).isEqualTo(new Said(0, "onceward 0.1.0\n", ""));
  }

  @Test
  void anOldJavaIsRefused() throws Exception {
    Path java = Files.createDirectories(folder.resolve("bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\nexit 1\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Files.writeString(folder.resolve("release"), "JAVA_VERSION=\"11.0.2\"\n");
    Said said = launch(folder, "status");
    assertThat(said.code()).isEqualTo(ExitCode.JAVA.number());
    assertThat(said.err())
        .startsWith("onceward: needs JDK 17 or newer, found 11.0.2")
        .hasLineCount(1);
  }

  @Test
  void aMissingJavaIsRefused() throws Exception {
    Said said = launch(folder.resolve("nowhere"), "server");
    assertThat(said.code()).isEqualTo(ExitCode.JAVA.number());
    assertThat(said.err()).contains("has no bin/java").hasLineCount(1);
  }
}
