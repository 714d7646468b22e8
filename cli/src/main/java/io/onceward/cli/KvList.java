package io.onceward.cli;

import io.onceward.Bytes;
import io.onceward.services.KeyValueCommand;
import io.onceward.services.KeyValueReply;
import io.onceward.services.KeyValueReply.Entry;
import io.onceward.services.ServiceDirectory;
import io.onceward.services.ServiceLimits;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists keys in their order, page by page. */
@Command(
    name = "list",
    description = "List keys in their order, with versions and values.",
    footer = {
      "",
      "Examples:",
      "  onceward kv list",
      "  onceward kv list user/ --limit 20",
      "  onceward kv list user/ --after user/anna --json"
    })
final class KvList extends QueryCommand {
  @Parameters(
      paramLabel = "PREFIX",
      arity = "0..1",
      description = "What the keys begin with. Default: all keys.")
  private String prefix = "";

  @Option(names = "--after", paramLabel = "KEY", description = "Only keys behind this one.")
  private String after = "";

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "How many at most, from 1 to " + ServiceLimits.LIST_ENTRIES + ". Default: 100.")
  private int limit = 100;

  KvList(Terminal terminal) {
    super(terminal, ServiceDirectory.KEY_VALUE);
  }

  @Override
  Bytes question() {
    return KeyValueCommand.encode(
        new KeyValueCommand.Page(Bytes.utf8(prefix), Bytes.utf8(after), limit));
  }

  @Override
  Told told(Bytes answer) {
    KeyValueReply.Entries page = (KeyValueReply.Entries) KeyValueReply.decode(answer);
    TextTable table = new TextTable("KEY", "VERSION", "VALUE");
    for (Entry entry : page.entries()) {
      table.row(
          BytesText.shown(entry.key()),
          String.valueOf(entry.version()),
          BytesText.shown(entry.value()));
    }
    List<Json> entries = page.entries().stream().map(KvList::json).toList();
    String more = page.more() ? "\nthere are more" + goOn(page.entries()) : "";
    return Told.done(
        table + more, new Json().objects("entries", entries).flag("more", page.more()));
  }

  /** How to see them; a key that is no text cannot stand on a command line. */
  private static String goOn(List<Entry> entries) {
    String last = BytesText.exact(entries.get(entries.size() - 1).key());
    return last == null ? "" : "; go on with --after=" + ShellWord.of(last);
  }

  private static Json json(Entry entry) {
    Json json = BytesText.add(new Json(), "key", entry.key()).number("version", entry.version());
    return BytesText.add(json, "value", entry.value());
  }
}
