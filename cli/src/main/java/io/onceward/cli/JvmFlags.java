package io.onceward.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The flags that Java is started with. They stand in files beside this class, because the launcher,
 * a shell script, takes them from there too: whoever starts a process starts it the same way.
 */
public final class JvmFlags {
  private static final int FIRST_THAT_WARNS = 24;

  private JvmFlags() {}

  /** For a process that runs {@code onceward server}. */
  public static List<String> server() {
    return read("server.jvm");
  }

  /** For a process that is a client: a short command, or a load program that sets its own heap. */
  public static List<String> client() {
    return read("client.jvm");
  }

  /** What any process on this version of Java needs, lest libraries make it print warnings. */
  public static List<String> quiet() {
    return Runtime.version().feature() >= FIRST_THAT_WARNS ? read("since24.jvm") : List.of();
  }

  /** The archive of classes that this process was started from, if the launcher made one. */
  public static List<String> archive() {
    String archive = System.getProperty("onceward.archive", "");
    return archive.isEmpty()
        ? List.of()
        : List.of(
            "-XX:SharedArchiveFile=" + archive,
            "-Donceward.archive=" + archive,
            "-Xlog:disable",
            "-Xlog:all=error:stderr");
  }

  private static List<String> read(String name) {
    try (InputStream in = JvmFlags.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing beside " + JvmFlags.class.getName());
      }
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII));
      List<String> flags = new ArrayList<>();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isBlank() && !line.startsWith("#")) {
          flags.add(line.strip());
        }
      }
      return flags;
    } catch (IOException problem) {
      throw new UncheckedIOException(problem);
    }
  }
}
