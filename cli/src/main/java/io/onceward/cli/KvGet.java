package io.onceward.cli;

import io.onceward.Bytes;
import io.onceward.services.KeyValueCommand;
import io.onceward.services.KeyValueReply;
import io.onceward.services.ServiceDirectory;
import java.io.PrintStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints a value, byte for byte. */
@Command(
    name = "get",
    description = "Print the value of a key. Exit code 1 if there is no such key.",
    footer = {"", "Examples:", "  onceward kv get greeting", "  onceward kv get greeting --json"})
final class KvGet extends QueryCommand {
  @Parameters(paramLabel = "KEY", description = "1 to 1024 bytes in UTF-8.")
  private String key = "";

  private Bytes value = Bytes.EMPTY;

  KvGet(Terminal terminal) {
    super(terminal, ServiceDirectory.KEY_VALUE);
  }

  @Override
  Bytes question() {
    return KeyValueCommand.encode(new KeyValueCommand.Get(Bytes.utf8(key)));
  }

  @Override
  Told told(Bytes answer) {
    Json json = new Json().text("key", key);
    if (KeyValueReply.decode(answer) instanceof KeyValueReply.Found found) {
      value = found.value();
      json.flag("found", true).number("version", found.version());
      return Told.done("", BytesText.add(json, "value", value));
    }
    return new Told("there is no key " + key, json.flag("found", false), ExitCode.NO);
  }

  @Override
  void say(Told told) {
    if (voice().isJson()) {
      super.say(told);
    } else if (told.exit() == ExitCode.NO) {
      voice().remark(told.line());
    } else {
      PrintStream out = voice().terminal().out();
      out.write(value.toArray(), 0, value.length());
      out.println();
      voice().checkOutput();
    }
  }
}
