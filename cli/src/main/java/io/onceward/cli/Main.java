package io.onceward.cli;

import io.onceward.server.OncewardServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParameterException;

/** Where {@code onceward} begins: finds the command, runs it, and gives the shell its exit code. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    Terminal terminal = Terminal.ofProcess();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, problem) ->
            terminal.err().println("onceward: unexpected in " + thread.getName() + ": " + problem));
    System.exit(run(terminal, List.of(arguments)));
  }

  /** Does what the words say; gives the exit code. */
  static int run(Terminal terminal, List<String> words) {
    Voice voice = Voice.of(terminal, wantsJson(words));
    try {
      int code = obey(terminal, words);
      // Help and the like are printed by others, who do not look.
      if (code == ExitCode.DONE.number()) {
        voice.checkOutput();
      }
      return code;
    } catch (Exception | Error problem) {
      CommandFailure failure = Explanation.of(problem);
      voice.complain(failure);
      return failure.exit().number();
    }
  }

  /** Whether errors are to be JSON, as far as can be seen before the words are understood. */
  private static boolean wantsJson(List<String> words) {
    int end = words.indexOf("--");
    return words.subList(0, end < 0 ? words.size() : end).contains("--json");
  }

  private static int obey(Terminal terminal, List<String> words) {
    List<String> wish = wish(words);
    for (String word : wish) {
      // What Java could not decode is lost: a key would silently become another key.
      if (word.indexOf('\uFFFD') >= 0) {
        throw new CommandFailure(
            ExitCode.USAGE, "\"" + word + "\" cannot be read in this locale; set LC_ALL=C.UTF-8");
      }
    }
    switch (wish.get(0)) {
      case "--help", "-h" -> terminal.out().print(overview());
      case "--version", "version" -> terminal.out().println("onceward " + OncewardServer.VERSION);
      default -> {
        CommandLine root = commandLine(terminal, wish.get(0));
        return root.execute(CommandTree.understood(root, wish).toArray(String[]::new));
      }
    }
    return ExitCode.DONE.number();
  }

  /** {@code help X} is another way to say {@code X --help}. */
  private static List<String> wish(List<String> words) {
    if (words.isEmpty() || words.equals(List.of("help"))) {
      return List.of("--help");
    }
    if (!words.get(0).equals("help")) {
      return words;
    }
    List<String> turned = new ArrayList<>(words.subList(1, words.size()));
    turned.add("--help");
    return turned;
  }

  private static CommandLine commandLine(Terminal terminal, String first) {
    return CommandTree.around(terminal, first)
        .setOut(Terminal.printer(terminal.out()))
        .setErr(Terminal.printer(terminal.err()))
        .setParameterExceptionHandler(
            (wrong, words) -> refuse(terminal, wrong, wantsJson(List.of(words))))
        .setExecutionExceptionHandler(explainTo(terminal));
  }

  private static int refuse(Terminal terminal, ParameterException wrong, boolean json) {
    String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
    String sentence = OneLine.of(command + ": " + BadUsage.sentence(wrong));
    if (json) {
      Voice.of(terminal, true).complain(new CommandFailure(ExitCode.USAGE, sentence));
    } else {
      terminal.err().println(sentence);
      terminal.err().println("'" + command + " --help' tells what is allowed");
    }
    return ExitCode.USAGE.number();
  }

  private static IExecutionExceptionHandler explainTo(Terminal terminal) {
    return (problem, command, parsed) -> {
      CommandFailure failure = Explanation.of(problem);
      Voice voice = Voice.of(terminal, wantsJson(parsed.originalArgs()));
      for (CommandLine.Model.CommandSpec mixin : command.getCommandSpec().mixins().values()) {
        if (mixin.userObject() instanceof Voice own) {
          voice = own;
        }
      }
      voice.complain(failure);
      return failure.exit().number();
    };
  }

  /** What there is, in one screen; the launcher shows the same file. */
  static String overview() {
    try (InputStream in = Main.class.getResourceAsStream("overview.txt")) {
      if (in == null) {
        throw new IllegalStateException("overview.txt is missing beside " + Main.class.getName());
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException problem) {
      throw new UncheckedIOException(problem);
    }
  }
}
