package io.onceward.torture;

import io.onceward.cli.ScratchFolder;
import io.onceward.testkit.ProgramOutput;
import io.onceward.testkit.ProgressLine;
import io.onceward.torture.TortureArguments.BadArgument;
import io.onceward.torture.fill.Fill;
import io.onceward.torture.teeth.PlantedBug;
import io.onceward.torture.teeth.Teeth;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/** The command {@code torture}: one run, and what it came to; or planted mistakes. */
public final class Torture {
  private static final int BAD_ARGUMENTS = 2;

  private Torture() {}

  /** Runs the command and exits with its code. */
  public static void main(String[] args) {
    LogManager.getLogManager().reset();
    Logger.getLogger("").setLevel(Level.OFF);
    PrintStream out = ProgramOutput.ofProcess();
    ProgramOutput.exit(out, run(List.of(args), out, System.err, ProgressLine.onTerminal()));
  }

  /** The command without the process around it; returns the exit code. */
  static int run(List<String> args, PrintStream out, PrintStream err, boolean terminal) {
    if (!args.isEmpty() && args.get(0).equals("--fill")) {
      return Fill.run(args.subList(1, args.size()), out, err);
    }
    TortureArguments arguments;
    try {
      arguments = TortureArguments.parse(args);
    } catch (BadArgument bad) {
      err.println("torture: " + bad.getMessage());
      err.println("torture --help says more");
      return BAD_ARGUMENTS;
    }
    if (arguments.help()) {
      out.print(TortureArguments.USAGE);
      out.print("\n" + Fill.USAGE);
      return 0;
    }
    try {
      boolean well =
          arguments.teeth()
              ? plantBugs(arguments, out, terminal)
              : torture(arguments, out, terminal);
      return well ? 0 : 1;
    } catch (Exception problem) {
      err.println("torture: " + problem);
      return 1;
    }
  }

  private static boolean torture(TortureArguments arguments, PrintStream out, boolean terminal)
      throws Exception {
    Path page = pageOf(arguments);
    Path folder = Files.createTempDirectory("onceward-torture-");
    Screen screen = new Screen(out, terminal);
    boolean kept = arguments.keep();
    Run run =
        new Run(
            new Run.Plan(arguments, folder, Run.Planting.nothing()), screen::say, screen::decided);
    try {
      Conclusion conclusion = run.play();
      screen.clear();
      out.print(new ConclusionText(conclusion).text());
      kept |= !conclusion.isClean();
      tellMore(conclusion, page, out);
      return conclusion.isClean();
    } catch (Exception problem) {
      kept = true;
      throw problem;
    } finally {
      screen.clear();
      run.close();
      if (kept) {
        out.println("histories, logs and disks are kept in " + folder);
      } else {
        ScratchFolder.remove(folder);
      }
    }
  }

  /** Said before the run: after it, nobody wants to hear that the folder does not exist. */
  private static Path pageOf(TortureArguments arguments) throws IOException {
    Path given = arguments.report();
    Path page = given == null ? Path.of("torture-" + arguments.seed() + ".html") : given;
    Path folder = page.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder) || Files.isDirectory(page)) {
      throw new IOException("the page cannot be written to " + page);
    }
    return page;
  }

  /** A page that cannot be written does not change what the run came to. */
  private static void tellMore(Conclusion conclusion, Path page, PrintStream out) {
    try {
      new ConclusionPage(conclusion).writeTo(page);
      out.println("the page about it is " + page.toAbsolutePath().normalize());
    } catch (IOException | RuntimeException problem) {
      out.println("the page about it could not be written: " + problem);
    }
    out.println("its row of docs/torture-runs.md:");
    out.println(new LedgerEntry(conclusion).row());
  }

  private static boolean plantBugs(TortureArguments arguments, PrintStream out, boolean terminal)
      throws Exception {
    int found = 0;
    int done = 0;
    List<PlantedBug> bugs = PlantedBug.named(arguments.mistakes());
    ProgressLine progress = new ProgressLine(out, terminal, bugs.size());
    for (PlantedBug bug : bugs) {
      if (terminal) {
        progress.show(done, " mistakes: " + bug.words());
      }
      List<Path> folders = new ArrayList<>();
      Teeth.Catch caught =
          Teeth.hunt(
              bug,
              arguments.seed(),
              () -> {
                folders.add(Files.createTempDirectory("onceward-torture-"));
                return folders.get(folders.size() - 1);
              },
              line -> {
                if (arguments.verbose()) {
                  out.println(line);
                }
              });
      progress.clear();
      done++;
      found += caught.found() ? 1 : 0;
      out.printf(
          Locale.ROOT,
          "%s %s%n    %s%s%n",
          caught.found() ? "found " : "MISSED",
          bug.words(),
          caught.found() ? "by " + caught.by() + ": " : "",
          caught.what());
      for (Path folder : folders) {
        if (!arguments.keep()) {
          ScratchFolder.remove(folder);
        }
      }
    }
    out.println(found + " found, " + (done - found) + " missed");
    return found == done;
  }
}
