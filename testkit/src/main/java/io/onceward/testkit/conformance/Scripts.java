package io.onceward.testkit.conformance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The conversations that every home has to answer alike. Each begins with what it shows, then names
 * its homes, then has steps: a command, an arrow, the answer.
 *
 * <pre>
 * # E3: a retry gets the reply of the first execution.
 * homes: all
 * submit k ok paid      => executed ok paid
 * submit k ok paid      => replay ok paid
 * effects ok paid       => 1
 * </pre>
 *
 * <p>{@link #play} gives each script a fresh home and fails with the line that was answered
 * otherwise. Where homes differ by their nature, there is a script for each of them, and the
 * comment says why.
 */
public final class Scripts {
  /** The names of the homes, as scripts list them. */
  public static final List<String> HOMES =
      List.of("replicated", "transaction", "guard-memory", "guard-postgres", "guard-cluster");

  private Scripts() {}

  /** One script. */
  public record Script(String name, List<String> homes, List<Step> steps) {
    /** Whether it can only be played where the test moves the clock. */
    public boolean passesTime() {
      return steps.stream()
          .anyMatch(
              step ->
                  step.command().startsWith("pass ")
                      || step.command().startsWith("outage ")
                      || step.command().contains(" late "));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** One line of it. */
  public record Step(int line, String command, String answer) {}

  /** All scripts that hold for a home, in the order of their names. */
  public static List<Script> of(String home) {
    if (!HOMES.contains(home)) {
      throw new IllegalArgumentException("there is no home " + home + "; there are " + HOMES);
    }
    List<Script> scripts = new ArrayList<>();
    for (String name : read("scripts.txt")) {
      Script script = parse(name, read(name + ".txt"));
      if (script.homes().contains(home)) {
        scripts.add(script);
      }
    }
    return scripts;
  }

  /** Those of them in which no time passes: for a home whose clock nobody moves. */
  public static List<Script> withoutTime(String home) {
    return of(home).stream().filter(script -> !script.passesTime()).toList();
  }

  /** Plays a script in a fresh home. */
  public static void play(Script script, Supplier<? extends Home> homes) {
    try (Home home = homes.get()) {
      Player player = new Player(home);
      for (Step step : script.steps()) {
        String answer = player.answer(step.command());
        if (!answer.equals(step.answer())) {
          throw new AssertionError(
              script.name()
                  + ", line "
                  + step.line()
                  + ": "
                  + step.command()
                  + "\n  expected: "
                  + step.answer()
                  + "\n  answered: "
                  + answer);
        }
      }
    }
  }

  static Script parse(String name, List<String> lines) {
    List<String> homes = new ArrayList<>();
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.startsWith("homes:")) {
        homes.addAll(homes(name, line.substring("homes:".length()).strip()));
      } else if (!line.isEmpty() && !line.startsWith("#")) {
        int arrow = line.indexOf("=>");
        if (arrow < 0) {
          throw new IllegalArgumentException(name + ", line " + (i + 1) + " has no =>: " + line);
        }
        steps.add(
            new Step(i + 1, line.substring(0, arrow).strip(), line.substring(arrow + 2).strip()));
      }
    }
    if (homes.isEmpty() || steps.isEmpty()) {
      throw new IllegalArgumentException(name + " names no homes, or has no steps");
    }
    return new Script(name, List.copyOf(homes), List.copyOf(steps));
  }

  private static List<String> homes(String name, String words) {
    if (words.equals("all")) {
      return HOMES;
    }
    List<String> homes = List.of(words.split(",\\s*"));
    for (String home : homes) {
      if (!HOMES.contains(home)) {
        throw new IllegalArgumentException(name + " names a home that is none: " + home);
      }
    }
    return homes;
  }

  private static List<String> read(String file) {
    try (InputStream in = Scripts.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("there is no script " + file);
      }
      return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
