package io.onceward.crash;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts Java programs of this class path. What they complain about is seen by everybody. */
final class JavaProcess {
  private static final int FIRST_THAT_WARNS = 24;

  private JavaProcess() {}

  static Process start(Class<?> program, String heap, List<String> words) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx" + heap,
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Xshare:auto"));
    if (Runtime.version().feature() >= FIRST_THAT_WARNS) {
      // What Netty does; older ones refuse these.
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    String archive = System.getProperty("onceward.archive");
    if (archive != null) {
      command.add("-XX:SharedArchiveFile=" + archive);
      command.add("-Xlog:disable");
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(words);
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}
