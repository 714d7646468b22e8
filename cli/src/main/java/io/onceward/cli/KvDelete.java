package io.onceward.cli;

import io.onceward.Bytes;
import io.onceward.services.KeyValueCommand;
import io.onceward.services.KeyValueReply;
import io.onceward.services.ServiceDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Deletes a key. */
@Command(
    name = "delete",
    description = "Delete a key. That it was not there is no error.",
    footer = {
      "",
      "Examples:",
      "  onceward kv delete greeting",
      "  onceward kv delete greeting --request-id cleanup-7"
    })
final class KvDelete extends RequestCommand {
  @Parameters(paramLabel = "KEY", description = "1 to 1024 bytes in UTF-8.")
  private String key = "";

  KvDelete(Terminal terminal) {
    super(terminal, ServiceDirectory.KEY_VALUE);
  }

  @Override
  Bytes command() {
    return KeyValueCommand.encode(new KeyValueCommand.Delete(Bytes.utf8(key)));
  }

  @Override
  Told told(Bytes answer) {
    boolean existed = ((KeyValueReply.Deleted) KeyValueReply.decode(answer)).existed();
    return Told.done(
        existed ? "deleted " + key : key + " was not there",
        new Json().text("key", key).flag("existed", existed));
  }
}
