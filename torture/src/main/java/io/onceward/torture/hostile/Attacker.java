package io.onceward.torture.hostile;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The attacker's process, which gets a core only while nobody else wants it: it is to harm by what
 * it sends, not by its CPU. At the lowest priority of the others it would, since whoever has a core
 * may keep it for some milliseconds.
 */
final class Attacker implements AutoCloseable {
  private static final List<List<String>> ONLY_IF_NOBODY_WANTS_IT =
      List.of(List.of("/usr/bin/chrt", "--idle", "0"), List.of("/usr/bin/nice", "-n", "19"));

  private final Process process;
  private final BufferedReader lines;

  private Attacker(Process process) {
    this.process = process;
    this.lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Starts it; returns when it strikes. */
  static Attacker start(Attack.Aimed aimed, Victim victim, int scale) throws IOException {
    List<String> command = new ArrayList<>();
    ONLY_IF_NOBODY_WANTS_IT.stream()
        .filter(prefix -> Files.isExecutable(Path.of(prefix.get(0))))
        .findFirst()
        .ifPresent(command::addAll);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(AttackerProgram.class.getName());
    command.add(aimed.name());
    command.add(Integer.toString(victim.member().clientPort()));
    command.add(Integer.toString(victim.member().peerPort()));
    command.add(Integer.toString(scale));
    Attacker attacker =
        new Attacker(
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    attacker.line();
    return attacker;
  }

  private String line() throws IOException {
    String line = lines.readLine();
    if (line == null) {
      throw new IOException("the attacker ended with code " + waitFor());
    }
    return line;
  }

  /** Lets it stop, and tells what it did. */
  Siege.Account stop() throws IOException {
    process.getOutputStream().close();
    Siege.Account account = AttackerProgram.parse(line());
    waitFor();
    return account;
  }

  private int waitFor() {
    try {
      if (process.waitFor(10, TimeUnit.SECONDS)) {
        return process.exitValue();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
    return -1;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
