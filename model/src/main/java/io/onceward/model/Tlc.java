package io.onceward.model;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Runs TLC, the model checker, in a process of its own: it keeps much in static fields, takes as
 * much heap as it gets, and so one check cannot spoil the next.
 */
final class Tlc {
  private static final double NANOS_PER_SECOND = 1e9;

  private final int workers;

  Tlc(int workers) {
    this.workers = workers;
  }

  /** Runs one check to its end. */
  Finding run(Check check, Consumer<String> progress) throws IOException {
    Path folder = Files.createTempDirectory("onceward-model");
    try {
      for (String file : List.of("Sessions.tla", check.module() + ".tla", check.text() + ".cfg")) {
        copy(file, folder.resolve(file));
      }
      return run(check, folder, progress);
    } finally {
      delete(folder);
    }
  }

  private Finding run(Check check, Path folder, Consumer<String> progress) throws IOException {
    long started = System.nanoTime();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseParallelGC",
                "-Xmx3g",
                // Where TLC unpacks the modules of its own.
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                jar(),
                "tlc2.TLC",
                "-workers",
                String.valueOf(workers),
                "-metadir",
                folder.resolve("states").toString(),
                "-config",
                check.text() + ".cfg",
                check.module() + ".tla")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    Thread killer = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(killer);
    TlcOutput output = new TlcOutput();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String now = output.take(line);
        if (now != null) {
          progress.accept(now);
        }
      }
    } finally {
      process.destroyForcibly();
      Runtime.getRuntime().removeShutdownHook(killer);
    }
    return output.finding(check, (System.nanoTime() - started) / NANOS_PER_SECOND);
  }

  private static String jar() {
    try {
      Class<?> tlc = Class.forName("tlc2.TLC", false, Tlc.class.getClassLoader());
      return Path.of(tlc.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (ClassNotFoundException | URISyntaxException e) {
      throw new IllegalStateException("TLC is not on the classpath", e);
    }
  }

  private static void copy(String resource, Path to) throws IOException {
    try (InputStream in = Tlc.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("the model has no file " + resource);
      }
      Files.write(to, in.readAllBytes());
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + folder, e);
    }
  }
}
