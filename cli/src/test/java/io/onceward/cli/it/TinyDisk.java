package io.onceward.cli.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** A file system of a few megabytes in memory, mounted on a folder. It takes root to make one. */
final class TinyDisk implements AutoCloseable {
  private final Path folder;
  private final Thread atTheEnd = new Thread(this::unmount, "unmount");

  private TinyDisk(Path folder) {
    this.folder = folder;
    Runtime.getRuntime().addShutdownHook(atTheEnd);
  }

  /** Mounts one, or skips the test and says why. */
  static TinyDisk mount(Path folder, int megabytes) throws Exception {
    Files.createDirectories(folder);
    String problem;
    try {
      problem = run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", folder);
    } catch (IOException noSuchProgram) {
      problem = noSuchProgram.getMessage();
    }
    if (!problem.isEmpty()) {
      String why = "SKIPPED, a small disk cannot be mounted (is this root?): " + problem;
      System.err.println(why);
      Assumptions.abort(why);
    }
    return new TinyDisk(folder);
  }

  /** Makes it larger, as an operator would who heard that it is full. */
  void resize(int megabytes) throws Exception {
    String problem = run("mount", "-o", "remount,size=" + megabytes + "m", folder);
    if (!problem.isEmpty()) {
      throw new IOException(problem);
    }
  }

  private void unmount() {
    try {
      run("umount", "-l", folder);
    } catch (Exception problem) {
      System.err.println("cannot unmount " + folder + ": " + problem);
    }
  }

  /** What it complains of; empty if it worked. */
  private static String run(Object... words) throws Exception {
    String[] command = new String[words.length];
    for (int i = 0; i < words.length; i++) {
      command[i] = words[i].toString();
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      return String.join(" ", command) + " does not end";
    }
    return process.exitValue() == 0 ? "" : command[0] + " failed: " + output;
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(atTheEnd);
    unmount();
  }
}
