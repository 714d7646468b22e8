package io.onceward.torture.hostile;

import io.onceward.cli.ScratchFolder;
import io.onceward.testkit.ProgramOutput;
import io.onceward.torture.hostile.HostileArguments.BadArgument;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/** The command {@code hostile}: attacks on a running server, and what honest clients notice. */
public final class Hostile {
  private static final int BAD_ARGUMENTS = 2;
  private static final double MOST_RATIO = 2.0;
  private static final int WARM_UP_SECONDS = 20;

  /** In which the node compiles the code that the attack has it run. */
  private static final int REHEARSAL_SECONDS = 10;

  private static final int MEASUREMENTS_AT_FIRST = 3;
  private static final int ENDS_SHOWN = 3;

  private Hostile() {}

  /** Runs the command and exits with its code. */
  public static void main(String[] args) {
    LogManager.getLogManager().reset();
    Logger.getLogger("").setLevel(Level.OFF);
    PrintStream out = ProgramOutput.ofProcess();
    ProgramOutput.exit(out, run(List.of(args), out, System.err));
  }

  /** The command without the process around it; returns the exit code. */
  static int run(List<String> args, PrintStream out, PrintStream err) {
    HostileArguments arguments;
    try {
      arguments = HostileArguments.parse(args);
    } catch (BadArgument bad) {
      err.println("hostile: " + bad.getMessage());
      err.println("hostile --help says more");
      return BAD_ARGUMENTS;
    }
    if (arguments.help()) {
      out.print(HostileArguments.USAGE);
      return 0;
    }
    if (arguments.list()) {
      for (Attack.Aimed attack : Attack.all()) {
        out.printf(Locale.ROOT, "%-28s %s%n", attack.name(), attack.words());
      }
      return 0;
    }
    try {
      return attack(arguments, out) ? 0 : 1;
    } catch (Exception problem) {
      err.println("hostile: " + problem);
      return 1;
    }
  }

  private static boolean attack(HostileArguments arguments, PrintStream out) throws Exception {
    List<Verdict> verdicts = new ArrayList<>();
    try (ScratchFolder folder = ScratchFolder.create("onceward-hostile-");
        Victim victim = Victim.start(folder.path().resolve("victim"));
        HonestClients honest = new HonestClients(victim.member().clientAddress())) {
      out.println("a node is running; warming up");
      honest.warmUp(WARM_UP_SECONDS);
      Judgement judgement = new Judgement(MOST_RATIO);
      for (int i = 0; i < MEASUREMENTS_AT_FIRST; i++) {
        judgement.usually(honest.ask(arguments.seconds()));
      }
      for (Attack.Aimed attack : arguments.attacks()) {
        out.printf(
            Locale.ROOT,
            "%d of %d: %s (%s)%n",
            verdicts.size() + 1,
            arguments.attacks().size(),
            attack.name(),
            attack.words());
        Round.Beginning beginning = Round.inAProcess(attack, victim, 100);
        Round.Result rehearsal =
            new Round(victim, honest, false).play(attack, REHEARSAL_SECONDS, beginning);
        Round.Result result =
            rehearsal.and(
                judgement.judge(
                    () -> {
                      Round.Result round =
                          new Round(victim, honest, true)
                              .play(attack, arguments.seconds(), beginning);
                      tell(round, out);
                      return round;
                    }));
        Latencies control = null;
        if (Verdict.isSlow(result, MOST_RATIO) && result.complaints().isEmpty()) {
          out.println("    slow; now the same on another node, which honest clients do not ask");
          Path other = folder.path().resolve("control-" + verdicts.size());
          control = Control.of(attack, honest, other, arguments.seconds());
          out.printf(Locale.ROOT, "    honest p99 %.2f ms during that%n", control.p99());
        }
        verdicts.add(new Verdict(result, control, MOST_RATIO));
      }
    } catch (IOException | ExecutionException | TimeoutException problem) {
      out.println("    WRONG: " + problem + "; the other attacks are not carried out");
    }
    HostileTable table = new HostileTable(verdicts, MOST_RATIO);
    out.print(table.text());
    return verdicts.size() == arguments.attacks().size() && table.isWell();
  }

  private static void tell(Round.Result result, PrintStream out) {
    Siege.Account account = result.account();
    out.printf(
        Locale.ROOT,
        "    %,d units of harm, %,d connections (%,d at once), %,d KiB sent%n",
        account.units(),
        account.connections(),
        account.most(),
        account.bytes() >> 10);
    account.ends().entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .limit(ENDS_SHOWN)
        .forEach(end -> out.printf(Locale.ROOT, "    %,d × %s%n", end.getValue(), end.getKey()));
    out.printf(
        Locale.ROOT,
        "    honest p99 %.2f ms in the seconds before, %.2f ms during%n",
        result.before().p99(),
        result.during().p99());
    for (String complaint : result.complaints()) {
      out.println("    WRONG: " + complaint);
    }
  }
}
