package io.onceward.cli;

import io.onceward.Bytes;
import io.onceward.services.KeyValueCommand;
import io.onceward.services.KeyValueReply;
import io.onceward.services.ServiceDirectory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Sets a value whatever was there. */
@Command(
    name = "put",
    description = "Set the value of a key, whatever was there.",
    footer = {
      "",
      "Examples:",
      "  onceward kv put greeting hello",
      "  onceward kv put greeting hello --request-id order-4711",
      "  onceward kv put photo --file photo.jpg",
      "  date | onceward kv put now --file -"
    })
final class KvPut extends RequestCommand {
  @Parameters(index = "0", paramLabel = "KEY", description = "1 to 1024 bytes in UTF-8.")
  private String key = "";

  @Parameters(
      index = "1",
      paramLabel = "VALUE",
      arity = "0..1",
      description = "The value, as UTF-8; or use --file.")
  private @Nullable String text;

  @Mixin private final ValueArgument value;

  KvPut(Terminal terminal) {
    super(terminal, ServiceDirectory.KEY_VALUE);
    this.value = new ValueArgument(terminal);
  }

  @Override
  Bytes command() {
    return KeyValueCommand.encode(new KeyValueCommand.Put(Bytes.utf8(key), value.bytes(text)));
  }

  @Override
  Told told(Bytes answer) {
    KeyValueReply.Stored stored = (KeyValueReply.Stored) KeyValueReply.decode(answer);
    return Told.done(
        "stored " + key + ", version " + stored.version(),
        new Json().text("key", key).number("version", stored.version()));
  }
}
