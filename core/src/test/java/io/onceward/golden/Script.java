package io.onceward.golden;

import java.util.ArrayList;
import java.util.List;

/**
 * A script as it stands in its file: a list of steps, each of them commands, a line {@code ----},
 * and what must come of them, one line per command. Everything else is comment or blank and is kept
 * for rewriting.
 */
record Script(String name, List<String> lines, List<Step> steps) {
  private static final String RULE = "----";

  /** A command, or a block of commands in braces. */
  sealed interface Command {
    int line();

    /** One line. */
    record Plain(int line, String text) implements Command {}

    /** Several requests that share one log entry. */
    record Entry(int line, List<Plain> commands) implements Command {}

    /** Commands that are played again and again. */
    record Repeat(int line, int times, List<Command> commands) implements Command {}
  }

  /**
   * Commands and what is expected of them.
   *
   * @param firstExpected the line number of the first expectation
   */
  record Step(List<Command> commands, int firstExpected, List<String> expected) {}

  static Script parse(String name, List<String> lines) {
    return new Reader(name, lines).script();
  }

  /** The same file with other expectations, one list per step. */
  List<String> withExpectations(List<List<String>> expectations) {
    List<String> rewritten = new ArrayList<>();
    int copied = 0;
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      rewritten.addAll(lines.subList(copied, step.firstExpected() - 1));
      rewritten.addAll(expectations.get(i));
      copied = step.firstExpected() - 1 + step.expected().size();
    }
    rewritten.addAll(lines.subList(copied, lines.size()));
    return rewritten;
  }

  /** Goes through the lines once; line numbers count from 1. */
  private static final class Reader {
    private final String name;
    private final List<String> lines;
    private final List<Step> steps = new ArrayList<>();
    private int at;

    Reader(String name, List<String> lines) {
      this.name = name;
      this.lines = lines;
    }

    Script script() {
      List<Command> commands = new ArrayList<>();
      while (at < lines.size()) {
        String line = lines.get(at).strip();
        if (isSilent(line)) {
          at++;
        } else if (line.equals(RULE)) {
          at++;
          steps.add(step(commands));
          commands = new ArrayList<>();
        } else {
          commands.add(command());
        }
      }
      if (!commands.isEmpty()) {
        throw fault(commands.get(0).line(), "no " + RULE + " follows this command");
      }
      return new Script(name, List.copyOf(lines), List.copyOf(steps));
    }

    private Step step(List<Command> commands) {
      if (commands.isEmpty()) {
        throw fault(at, "no command stands before this " + RULE);
      }
      int first = at + 1;
      List<String> expected = new ArrayList<>();
      while (at < lines.size() && !lines.get(at).isBlank()) {
        expected.add(lines.get(at++).strip());
      }
      return new Step(commands, first, expected);
    }

    private Command command() {
      int number = at + 1;
      String line = lines.get(at++).strip();
      if (!line.endsWith("{")) {
        return new Command.Plain(number, line);
      }
      Words words = Words.of(line.substring(0, line.length() - 1));
      List<Command> inner = block(number);
      if (words.take("entry")) {
        words.end();
        List<Command.Plain> plain = new ArrayList<>();
        for (Command command : inner) {
          if (!(command instanceof Command.Plain one)) {
            throw fault(command.line(), "a block cannot stand inside an entry");
          }
          plain.add(one);
        }
        return new Command.Entry(number, plain);
      }
      if (words.take("repeat")) {
        int times = (int) words.number("how often");
        words.end();
        return new Command.Repeat(number, times, inner);
      }
      throw fault(number, "a block begins with \"entry {\" or \"repeat 10 {\"");
    }

    private List<Command> block(int opened) {
      List<Command> inner = new ArrayList<>();
      while (at < lines.size()) {
        String line = lines.get(at).strip();
        if (line.equals("}")) {
          at++;
          return inner;
        }
        if (isSilent(line)) {
          at++;
        } else {
          inner.add(command());
        }
      }
      throw fault(opened, "this block is not closed by a line }");
    }

    private static boolean isSilent(String line) {
      return line.isEmpty() || line.startsWith("#");
    }

    private ScriptException fault(int line, String what) {
      return new ScriptException(name + ":" + line + ": " + what);
    }
  }
}
