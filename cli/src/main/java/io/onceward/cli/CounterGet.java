package io.onceward.cli;

import io.onceward.Bytes;
import io.onceward.services.CounterCommand;
import io.onceward.services.CounterReply;
import io.onceward.services.ServiceDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Reads a counter. */
@Command(
    name = "get",
    description = "Print the value of a counter; 0 if nobody added anything.",
    footer = {"", "Examples:", "  onceward counter get hits"})
final class CounterGet extends QueryCommand {
  @Parameters(paramLabel = "NAME", description = "The counter's name.")
  private String name = "";

  CounterGet(Terminal terminal) {
    super(terminal, ServiceDirectory.COUNTER);
  }

  @Override
  Bytes question() {
    return CounterCommand.encode(new CounterCommand.Get(name));
  }

  @Override
  Told told(Bytes answer) {
    long value = CounterReply.decode(answer).value();
    return Told.done(
        String.valueOf(value), new Json().text("counter", name).number("value", value));
  }
}
