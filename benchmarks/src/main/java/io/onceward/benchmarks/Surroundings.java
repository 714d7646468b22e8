package io.onceward.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Where the figures come from: a number without them means nothing.
 *
 * @param commit the commit of the sources, "with changes" if there are any, or "unknown"
 */
public record Surroundings(String jdk, int cores, String memory, String system, String commit) {

  public static Surroundings found() {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return new Surroundings(
        Runtime.version() + " (" + System.getProperty("java.vm.name") + ")",
        Runtime.getRuntime().availableProcessors(),
        String.format(Locale.ROOT, "%.1f GiB", system.getTotalMemorySize() / (double) (1 << 30)),
        system.getName() + " " + system.getVersion() + " " + system.getArch(),
        commitOfSources());
  }

  private static String commitOfSources() {
    try {
      Path classes =
          Path.of(Bench.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      Path directory = classes.toFile().isDirectory() ? classes : classes.resolveSibling("");
      String commit = git(directory, "rev-parse", "--short=12", "HEAD");
      if (commit.isEmpty()) {
        return "unknown";
      }
      String top = git(directory, "rev-parse", "--show-toplevel");
      return git(Path.of(top), "status", "--porcelain").isEmpty()
          ? commit
          : commit + " with changes";
    } catch (IOException | URISyntaxException e) {
      return "unknown";
    }
  }

  /** What git prints, or nothing if it has nothing to say. */
  private static String git(Path directory, String... arguments) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("git");
    builder.command().addAll(List.of(arguments));
    Process process =
        builder
            .directory(directory.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String printed =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0 ? printed : "";
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while git was asked", e);
    }
  }
}
