package io.onceward.cli;

import io.onceward.Bytes;
import io.onceward.services.CounterCommand;
import io.onceward.services.CounterReply;
import io.onceward.services.ServiceDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Adds to a counter. */
@Command(
    name = "add",
    description = "Add to a counter and print its new value.",
    footer = {
      "",
      "Examples:",
      "  onceward counter add hits 5 --request-id order-4711",
      "  onceward counter add hits -- -2"
    })
final class CounterAdd extends RequestCommand {
  @Parameters(index = "0", paramLabel = "NAME", description = "The counter's name.")
  private String name = "";

  @Parameters(
      index = "1",
      paramLabel = "AMOUNT",
      arity = "0..1",
      description = "How much; may be negative, after a --. Default: 1.")
  private long amount = 1;

  CounterAdd(Terminal terminal) {
    super(terminal, ServiceDirectory.COUNTER);
  }

  @Override
  Bytes command() {
    return CounterCommand.encode(new CounterCommand.Add(name, amount));
  }

  @Override
  Told told(Bytes answer) {
    long value = CounterReply.decode(answer).value();
    return Told.done(
        String.valueOf(value), new Json().text("counter", name).number("value", value));
  }
}
