package io.onceward.torture;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs of the machine that this one uses. */
public final class Tool {
  private static final long PATIENCE_SECONDS = 30;

  private Tool() {}

  /** Whether there is a program of this name. */
  public static boolean exists(String name) {
    List<String> folders = new ArrayList<>(List.of("/usr/sbin", "/sbin"));
    String path = System.getenv("PATH");
    if (path != null) {
      folders.addAll(List.of(path.split(":", -1)));
    }
    return folders.stream().anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
  }

  /**
   * Runs a program and gives what it printed.
   *
   * @throws IOException if it ends with a code other than 0
   */
  public static String run(String... words) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().merge("PATH", "/usr/sbin:/sbin", (path, more) -> path + ":" + more);
    Process process = builder.start();
    try {
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(String.join(" ", words) + " does not end");
      }
      if (process.exitValue() != 0) {
        throw new IOException(String.join(" ", words) + ": " + said.strip());
      }
      return said;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted during " + String.join(" ", words), interrupted);
    } finally {
      process.destroyForcibly();
    }
  }

  /** The same, if it need not succeed. */
  public static boolean tryTo(String... words) {
    try {
      run(words);
      return true;
    } catch (IOException failed) {
      return false;
    }
  }
}
