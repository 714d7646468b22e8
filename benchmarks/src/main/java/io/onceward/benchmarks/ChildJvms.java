package io.onceward.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Gives each experiment a JVM of its own, so that neither another table's garbage nor what the JIT
 * learned from it shows. The child prints a line per sample.
 */
final class ChildJvms implements Laboratory {
  /** The command by which a child is told what it is. */
  static final String COMMAND = "experiment";

  private static final String SAMPLE = "sample\t";

  private volatile @Nullable Process running;

  ChildJvms() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::endChild, "end of child"));
  }

  private void endChild() {
    Process child = running;
    if (child != null) {
      child.destroyForcibly();
    }
  }

  /** All children have the same flags. */
  static List<String> flags(Sizes sizes) {
    List<String> flags = new ArrayList<>();
    flags.add("-XX:+UseParallelGC");
    flags.add("-Xms" + sizes.heapMegabytes() + "m");
    flags.add("-Xmx" + sizes.heapMegabytes() + "m");
    if (System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux")) {
      flags.add("-XX:+UseTransparentHugePages");
    }
    return flags;
  }

  /** What a child does. */
  static void beChild(String experiment, String sizes, String scratch, PrintStream out)
      throws IOException {
    Experiments.named(experiment)
        .body()
        .run(
            Sizes.parse(sizes),
            Path.of(scratch),
            (name, value) -> out.println(SAMPLE + name + "\t" + value));
  }

  @Override
  public void run(Experiment experiment, Sizes sizes, Path scratch, Samples samples)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags(sizes));
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(Bench.class.getName());
    command.add(COMMAND);
    command.add(experiment.name());
    command.add(sizes.argument());
    command.add(scratch.toString());
    Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
    running = child;
    String said = listen(child, samples);
    int code = await(child);
    running = null;
    if (code != 0) {
      throw new IOException(
          "experiment '" + experiment.name() + "' ended with code " + code + ":\n" + said);
    }
  }

  /** Takes the samples; returns what else was said. */
  private static String listen(Process child, Samples samples) throws IOException {
    StringBuilder said = new StringBuilder();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.startsWith(SAMPLE)) {
          said.append(line).append('\n');
          continue;
        }
        int tab = line.lastIndexOf('\t');
        samples.add(
            line.substring(SAMPLE.length(), tab), Double.parseDouble(line.substring(tab + 1)));
      }
    }
    return said.toString();
  }

  private static int await(Process child) {
    try {
      return child.waitFor();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while an experiment ran", e);
    }
  }
}
