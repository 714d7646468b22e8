package io.onceward.benchmarks;

import io.onceward.benchmarks.cluster.ClusterBench;
import io.onceward.benchmarks.cluster.LoadProgram;
import io.onceward.benchmarks.cluster.StagesProgram;
import io.onceward.benchmarks.jdbc.JdbcBench;
import io.onceward.testkit.ProgramOutput;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/** The entry point of {@code onceward bench}. */
public final class Bench {
  private static final int FAILED = 1;
  private static final int BAD_USAGE = 2;

  private Bench() {}

  public static void main(String[] arguments) throws IOException {
    List<String> words = List.of(arguments);
    if (!words.isEmpty() && words.get(0).equals("jmh")) {
      org.openjdk.jmh.Main.main(words.subList(1, words.size()).toArray(String[]::new));
      endUnlessWell(0);
      return;
    }
    endUnlessWell(run(words, System.out, System.err));
  }

  private static void endUnlessWell(int code) {
    int told = ProgramOutput.exitCode(System.out, code);
    if (told != 0) {
      System.exit(told);
    }
  }

  /** Does what the arguments say; returns the exit code. */
  static int run(List<String> arguments, PrintStream out, PrintStream err) {
    try {
      dispatch(arguments, out, err);
      return 0;
    } catch (UsageException e) {
      err.println("onceward bench: " + e.getMessage());
      return BAD_USAGE;
    } catch (IOException e) {
      err.println("onceward bench: " + e.getMessage());
      return FAILED;
    }
  }

  private static void dispatch(List<String> arguments, PrintStream out, PrintStream err)
      throws IOException {
    if (arguments.isEmpty()) {
      throw new UsageException("say what to measure; 'onceward bench --help' tells");
    }
    List<String> rest = arguments.subList(1, arguments.size());
    switch (arguments.get(0)) {
      case "--help", "-h", "help" -> help(out);
      case "table" -> table(TableBench.Options.parse(rest), out, err);
      case "cluster" -> ClusterBench.run(rest, out, err);
      case "jdbc" -> JdbcBench.run(rest, out, err);
      case LoadProgram.COMMAND -> {
        if (rest.size() != 1) {
          throw new UsageException("'" + LoadProgram.COMMAND + "' is for the program's own use");
        }
        LoadProgram.run(rest.get(0), System.in, out);
      }
      case StagesProgram.COMMAND -> StagesProgram.run(rest, System.in, out);
      case ChildJvms.COMMAND -> {
        if (rest.size() != 3) {
          throw new UsageException("'" + ChildJvms.COMMAND + "' is for the program's own use");
        }
        ChildJvms.beChild(rest.get(0), rest.get(1), rest.get(2), out);
      }
      default ->
          throw new UsageException(
              "there is no '"
                  + arguments.get(0)
                  + "'; 'onceward bench --help' tells what there is");
    }
  }

  private static void table(TableBench.Options options, PrintStream out, PrintStream err)
      throws IOException {
    if (options.help()) {
      TableBench.help(out);
      return;
    }
    Sizes sizes = options.quick() ? Sizes.QUICK : Sizes.STANDARD;
    Progress progress = new Progress(err);
    new TableBench(new ChildJvms(), sizes, progress)
        .run(options.figures(), new Report(out, options.json(), !options.quick()));
  }

  private static void help(PrintStream out) {
    out.println(
        """
        Usage: onceward bench table [--quick] [--json] [--only NAME]
               onceward bench cluster [--quick] [--json] [--only NAME] ...
               onceward bench jdbc [--quick] [--json] [--only NAME] ...
               onceward bench jmh [ARGUMENT...]

        table    Time and memory of the tables, beside the obvious alternatives in the same run.
                 'onceward bench table --help' lists the figures.
        cluster  Throughput, latency, fail-over and memory of three server processes.
                 'onceward bench cluster --help' lists the figures and tells about more options.
        jdbc     Business transactions on PostgreSQL with the guard against the same without it.
                 'onceward bench jdbc --help' lists the figures.
        jmh      Single steps under JMH; the arguments are JMH's own, such as -l to list the
                 benchmarks, -h for help, or a pattern for their names.\
        """);
  }
}
