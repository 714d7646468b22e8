package io.onceward.cli;

import io.onceward.client.Onceward;
import io.onceward.replica.Parameter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Sets a parameter of the cluster. */
@Command(
    name = "set",
    description = {
      "Set a parameter of the whole cluster, by a logged command: every node follows it from the",
      "same log position on."
    },
    footer = {
      "",
      "Examples:",
      "  onceward set retention 48h",
      "  onceward set default-window 4096"
    })
final class SetCommand extends AdminCommand {
  @Parameters(index = "0", paramLabel = "PARAMETER", description = "One of those below.")
  private String name = "";

  @Parameters(
      index = "1",
      paramLabel = "VALUE",
      description = "A time such as 48h where the parameter is one, a whole number otherwise.")
  private String value = "";

  SetCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void check() {
    ParameterText.parse(name).value(value);
  }

  @Override
  String advice() {
    return "run the same again";
  }

  @Override
  ExitCode administer(Onceward client) {
    ParameterText parameter = ParameterText.parse(name);
    long number = parameter.value(value);
    await(client.admin().set(parameter.parameter(), number));
    voice()
        .say(
            name + " is " + parameter.print(number),
            new Json().text("parameter", name).number("value", number));
    return ExitCode.DONE;
  }

  /** The command with the parameters in its help. */
  static CommandLine line(Terminal terminal) {
    CommandLine line = new CommandLine(new SetCommand(terminal));
    List<String> footer = new ArrayList<>();
    footer.add("");
    footer.add("Parameters, what they may be, and what they are before anyone sets them:");
    table().lines().forEach(footer::add);
    footer.addAll(List.of(line.getCommandSpec().usageMessage().footer()));
    line.getCommandSpec().usageMessage().footer(footer.toArray(String[]::new));
    return line;
  }

  private static String table() {
    TextTable table = new TextTable("  PARAMETER", "FROM", "TO", "AT FIRST");
    for (Parameter parameter : Parameter.values()) {
      ParameterText text = new ParameterText(parameter);
      table.row(
          "  " + text.name(),
          text.print(parameter.least()),
          text.print(parameter.most()),
          text.print(parameter.initial()));
    }
    return table.toString();
  }
}
