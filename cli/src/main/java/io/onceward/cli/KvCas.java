package io.onceward.cli;

import io.onceward.Bytes;
import io.onceward.services.KeyValueCommand;
import io.onceward.services.KeyValueReply;
import io.onceward.services.ServiceDirectory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Sets a value if nobody else has set it in between. */
@Command(
    name = "cas",
    description =
        "Compare and set: set the value of a key if its version is the expected one. Exit code 1 if it"
            + " is another.",
    footer = {
      "",
      "Examples:",
      "  onceward kv cas greeting 0 hello          # only if it is not there",
      "  onceward kv cas greeting 7 \"good evening\" --request-id evening-1"
    })
final class KvCas extends RequestCommand {
  @Parameters(index = "0", paramLabel = "KEY", description = "1 to 1024 bytes in UTF-8.")
  private String key = "";

  @Parameters(
      index = "1",
      paramLabel = "VERSION",
      description = "The version that it must have; 0 if it must not be there.")
  private long expected;

  @Parameters(
      index = "2",
      paramLabel = "VALUE",
      arity = "0..1",
      description = "The value, as UTF-8; or use --file.")
  private @Nullable String text;

  @Mixin private final ValueArgument value;

  KvCas(Terminal terminal) {
    super(terminal, ServiceDirectory.KEY_VALUE);
    this.value = new ValueArgument(terminal);
  }

  @Override
  Bytes command() {
    return KeyValueCommand.encode(
        new KeyValueCommand.CompareAndSet(Bytes.utf8(key), expected, value.bytes(text)));
  }

  @Override
  Told told(Bytes answer) {
    KeyValueReply.Stored stored = (KeyValueReply.Stored) KeyValueReply.decode(answer);
    return Told.done(
        "stored " + key + ", version " + stored.version(),
        new Json().text("key", key).number("version", stored.version()));
  }
}
