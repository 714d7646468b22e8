package io.onceward.cli;

import io.onceward.cli.demo.Demo;
import io.onceward.server.ServerSettings.Quarantined;
import io.onceward.wire.Member;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/**
 * All commands. Reading one from its annotations takes time, so a start reads only what it needs.
 */
final class CommandTree {
  private static final Map<String, Function<Terminal, CommandLine>> COMMANDS = commands();
  private static final Set<String> HELP = Set.of("--help", "-h");

  private CommandTree() {}

  private static Map<String, Function<Terminal, CommandLine>> commands() {
    Map<String, Function<Terminal, CommandLine>> commands = new LinkedHashMap<>();
    commands.put("server", terminal -> new CommandLine(new ServerCommand(terminal)));
    commands.put("cluster", terminal -> new CommandLine(new ClusterCommand(terminal)));
    commands.put(
        "kv",
        terminal ->
            new CommandLine(new Group.KeyValues())
                .addSubcommand(new KvPut(terminal))
                .addSubcommand(new KvGet(terminal))
                .addSubcommand(new KvDelete(terminal))
                .addSubcommand(new KvCas(terminal))
                .addSubcommand(new KvList(terminal)));
    commands.put(
        "counter",
        terminal ->
            new CommandLine(new Group.Counters())
                .addSubcommand(new CounterAdd(terminal))
                .addSubcommand(new CounterGet(terminal)));
    commands.put(
        "lease",
        terminal ->
            new CommandLine(new Group.Leases())
                .addSubcommand(new LeaseAcquire(terminal))
                .addSubcommand(new LeaseRenew(terminal))
                .addSubcommand(new LeaseRelease(terminal))
                .addSubcommand(new LeaseShow(terminal)));
    commands.put("outcome", terminal -> new CommandLine(new OutcomeCommand(terminal)));
    commands.put("abandon", terminal -> new CommandLine(new AbandonCommand(terminal)));
    commands.put("status", terminal -> new CommandLine(new StatusCommand(terminal)));
    commands.put(
        "session",
        terminal ->
            new CommandLine(new Group.Sessions())
                .addSubcommand(new SessionList(terminal))
                .addSubcommand(new SessionShow(terminal))
                .addSubcommand(new SessionClose(terminal)));
    commands.put(
        "unknown",
        terminal ->
            new CommandLine(new Group.Unknowns())
                .addSubcommand(new UnknownList(terminal))
                .addSubcommand(new UnknownShow(terminal))
                .addSubcommand(new UnknownResolve(terminal)));
    commands.put(
        "claims",
        terminal ->
            new CommandLine(new Group.Claims())
                .addSubcommand(new ClaimsForget(terminal))
                .addSubcommand(new ClaimsScope(terminal)));
    commands.put("forget", terminal -> new CommandLine(new ForgetCommand(terminal)));
    commands.put("scope", terminal -> new CommandLine(new ScopeCommand(terminal)));
    commands.put("enable", terminal -> new CommandLine(new EnableCommand(terminal)));
    commands.put("set", SetCommand::line);
    commands.put("snapshot", terminal -> new CommandLine(new SnapshotCommand(terminal)));
    commands.put(
        "transfer-leader", terminal -> new CommandLine(new TransferLeaderCommand(terminal)));
    commands.put(
        "member",
        terminal ->
            new CommandLine(new Group.Members())
                .addSubcommand(new MemberAdd(terminal))
                .addSubcommand(new MemberRemove(terminal)));
    commands.put(
        "demo",
        terminal ->
            new CommandLine(new Demo(terminal.out(), terminal.err(), terminal.environment())));
    commands.put(
        "example",
        terminal -> LauncherCommand.of("example", "Start an application to try by hand."));
    commands.put("bench", terminal -> LauncherCommand.of("bench", "Measure speed and memory."));
    commands.put(
        "simulate",
        terminal -> LauncherCommand.of("simulate", "Drive a simulated cluster through faults."));
    commands.put(
        "model", terminal -> LauncherCommand.of("model", "Visit all states of a model in TLA+."));
    commands.put(
        "fuzz", terminal -> LauncherCommand.of("fuzz", "Search for bytes that upset decoders."));
    commands.put(
        "crash-test",
        terminal -> LauncherCommand.of("crash-test", "Kill processes, and check the books."));
    commands.put(
        "torture",
        terminal -> LauncherCommand.of("torture", "Torture a real cluster, check every request."));
    commands.put(
        "hostile",
        terminal -> LauncherCommand.of("hostile", "Attack a server, watch honest clients."));
    commands.put("completion", terminal -> new CommandLine(new CompletionCommand(terminal)));
    return commands;
  }

  /** The root with all commands. */
  static CommandLine whole(Terminal terminal) {
    CommandLine root = new CommandLine(new OncewardCommand());
    COMMANDS.forEach((name, make) -> root.addSubcommand(name, make.apply(terminal)));
    return configured(root);
  }

  /** The root with this one command below it, or with all if there is no such command. */
  static CommandLine around(Terminal terminal, String name) {
    Function<Terminal, CommandLine> make = COMMANDS.get(name);
    if (make == null) {
      return whole(terminal);
    }
    return configured(
        new CommandLine(new OncewardCommand()).addSubcommand(name, make.apply(terminal)));
  }

  /**
   * The words without those that ask for help, if they name a command that is not there: help would
   * hide that, and succeed.
   */
  static List<String> understood(CommandLine root, List<String> words) {
    CommandLine command = root;
    for (String word : words) {
      Map<String, CommandLine> below = command.getSubcommands();
      if (below.isEmpty() || word.startsWith("-")) {
        return words;
      }
      if (!below.containsKey(word)) {
        return words.stream().filter(each -> !HELP.contains(each)).toList();
      }
      command = below.get(word);
    }
    return words;
  }

  private static CommandLine configured(CommandLine root) {
    offerHelp(root);
    return root.registerConverter(Duration.class, saying(DurationText::parse))
        .registerConverter(Instant.class, saying(MomentText::parse))
        .registerConverter(Member.class, saying(MemberText::parse))
        .registerConverter(Quarantined.class, saying(QuarantineText::parse))
        .registerConverter(MillisRange.class, saying(MillisRange::parse))
        .setUsageHelpWidth(100);
  }

  private static void offerHelp(CommandLine command) {
    if (command.getCommandSpec().findOption("--help") == null) {
      command
          .getCommandSpec()
          .addOption(
              OptionSpec.builder("-h", "--help")
                  .usageHelp(true)
                  .description("Show this help.")
                  .build());
    }
    command.getSubcommands().values().forEach(CommandTree::offerHelp);
  }

  /** Passes on what a reader of text says about a text that it cannot read. */
  private static <T> ITypeConverter<T> saying(Function<String, T> reader) {
    return text -> {
      try {
        return reader.apply(text);
      } catch (IllegalArgumentException wrong) {
        throw new TypeConversionException(wrong.getMessage());
      }
    };
  }
}
