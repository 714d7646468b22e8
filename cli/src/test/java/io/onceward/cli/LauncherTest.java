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
    return launch(LAUNCHER, javaHome, words);
  }

  private static Said launch(Path launcher, Path javaHome, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("sh", launcher.toString()));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("JAVA_HOME", javaHome.toString());
    builder.environment().merge("PATH", javaHome + "/bin", (path, bin) -> bin + ":" + path);
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
  void helpAboutExamplesNamesTheOneThereIs() throws Exception {
    for (String[] words : new String[][] {{"help", "example"}, {"example", "--help"}}) {
      Said said = launch(folder, words);
      assertThat(said.code()).as(said.err()).isZero();
      assertThat(said.out()).contains("onceward example payments").hasLineCount(1);
    }
    assertThat(launch(folder, "example", "nothing").code()).isEqualTo(ExitCode.USAGE.number());
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

  /** A source tree with a launcher and nothing that was built; Java need only look new enough. */
  private Path tree() throws IOException {
    Path tree = Files.createDirectories(folder.resolve("a tree"));
    Files.copy(LAUNCHER, tree.resolve("onceward"));
    Path bin = Files.createDirectories(folder.resolve("jdk/bin"));
    for (String program : List.of("java", "mvn")) {
      Files.writeString(bin.resolve(program), "#!/bin/sh\nexit 1\n");
      assertThat(bin.resolve(program).toFile().setExecutable(true)).isTrue();
    }
    Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"17.0.2\"\n");
    Files.createDirectories(tree.resolve("cli/src/main"));
    Files.writeString(tree.resolve("pom.xml"), "");
    return tree;
  }

  private Said launchIn(Path tree) throws IOException, InterruptedException {
    return launch(tree.resolve("onceward"), folder.resolve("jdk"), "status");
  }

  @Test
  void aTreeThatCannotBeWrittenIsCodeTen() throws Exception {
    Path tree = tree();
    // For root no folder is read-only, but a file is no folder for anyone.
    Files.writeString(tree.resolve("target"), "");
    assertCannotWrite(launchIn(tree), "/target/launcher.lock");
    Files.delete(tree.resolve("target"));
    Files.createDirectories(tree.resolve("target/launcher.lock"));
    assertCannotWrite(launchIn(tree), "/target/launcher.lock");
    Files.delete(tree.resolve("target/launcher.lock"));
    Files.writeString(tree.resolve("cli/target"), "");
    assertCannotWrite(launchIn(tree), "/cli/target/launcher/build.log");
  }

  private static void assertCannotWrite(Said said, String file) {
    assertThat(said.code()).isEqualTo(ExitCode.JAVA.number());
    assertThat(said.err())
        .startsWith("onceward: has to build (first use), but cannot write ")
        .contains(file)
        .hasLineCount(1);
  }

  @Test
  void whatTheLauncherDoesNotForeseeIsCodeTen() throws Exception {
    Path tree = tree();
    Files.delete(tree.resolve("pom.xml"));
    Files.delete(tree.resolve("onceward"));
    Files.writeString(
        tree.resolve("onceward"),
        Files.readString(LAUNCHER).replace("texts=$root", "false\ntexts=$root"));
    Said said = launchIn(tree);
    assertThat(said.code()).isEqualTo(ExitCode.JAVA.number());
    assertThat(said.err()).startsWith("onceward: the launcher failed").hasLineCount(1);
  }

  @Test
  void helpThatCannotBeWrittenIsCodeTwelve() throws Exception {
    assumeTrue(Files.exists(Path.of("/dev/full")));
    for (String word : List.of("help", "version")) {
      ProcessBuilder builder =
          new ProcessBuilder("sh", "-c", "sh " + LAUNCHER + " " + word + " >/dev/full");
      Process process = builder.start();
      String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(err).isEqualTo(ExitCode.OUTPUT.number());
      assertThat(err).contains("onceward: the output cannot be written");
    }
  }

  @Test
  void aMissingJavaIsRefused() throws Exception {
    Said said = launch(folder.resolve("nowhere"), "server");
    assertThat(said.code()).isEqualTo(ExitCode.JAVA.number());
    assertThat(said.err()).contains("has no bin/java").hasLineCount(1);
  }
}
