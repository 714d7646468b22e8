package io.onceward.testkit;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts programs whose output goes to a disk that is full. */
public final class FullDisk {
  private static final File FULL = new File("/dev/full");

  private FullDisk() {}

  /** Whether this machine has such a disk. */
  public static boolean isHere() {
    return FULL.exists();
  }

  /** With which exit code this program ends, started in a process of its own. */
  public static int exitCode(Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectOutput(FULL)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
