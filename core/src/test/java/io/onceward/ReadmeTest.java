package io.onceward;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.replica.LogEntry;
import io.onceward.replica.LogEntry.Proposal;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The example on the README's first screen: it compiles, it runs, and it is the one printed there.
 */
class ReadmeTest {
  private final Clock clock = Clock.systemUTC();
  private final List<Decision> shown = new ArrayList<>();

  @Test
  void theExampleExecutesOnceAndReplays() {
    Replica replica = new Replica(new Counter());
    Key id = new DatedIds().next();
    Request add = new Request.Keyed(Scope.NONE, id, null, List.of(), Bytes.utf8("add 5"));
    byte[] entry = new LogEntry(0, clock.millis(), List.of(new Proposal("alice", add))).encode();

    replica.apply(1, 1, entry, (i, decision) -> shown.add(decision));
    replica.apply(2, 1, entry, (i, decision) -> shown.add(decision));

    Decision.Replied first = (Decision.Replied) shown.get(0);
    Decision.Replied retry = (Decision.Replied) shown.get(1);
    assertThat(first.reply()).isEqualTo(Reply.ok("5"));
    assertThat(first.replay()).isFalse();
    assertThat(retry.reply()).isEqualTo(first.reply());
    assertThat(retry.replay()).isTrue();
  }

  @Test
  void theExampleIsTheOneThatIsPrinted() throws IOException {
    List<String> printed = code(Files.readAllLines(Path.of("..", "README.md")), "```java", "```");
    List<String> run =
        code(
            Files.readAllLines(Path.of("src", "test", "java", "io", "onceward", "ReadmeTest.java")),
            "  void theExampleExecutesOnceAndReplays() {",
            "    Decision.Replied first");
    assertThat(printed).isNotEmpty().isEqualTo(run);
  }

  /** The lines between two marks, without indentation, comments and what is done with decisions. */
  private static List<String> code(List<String> lines, String from, String to) {
    List<String> found = new ArrayList<>();
    boolean inside = false;
    for (String line : lines) {
      if (inside && line.startsWith(to)) {
        return found;
      }
      if (inside && !line.isBlank()) {
        found.add(
            line.strip()
                .replaceAll(" *// .*", "")
                .replace("System.out.println(decision)", "shown.add(decision)"));
      }
      inside |= line.equals(from);
    }
    return found;
  }

  private static final class Counter implements Service {
    private long total;

    @Override
    public Reply execute(Command command) {
      total += Long.parseLong(command.payload().asText().substring("add ".length()));
      return Reply.ok(Long.toString(total));
    }

    @Override
    public Frozen freeze() {
      byte[] state = ByteBuffer.allocate(Long.BYTES).putLong(total).array();
      return out -> out.write(state);
    }

    @Override
    public void restore(InputStream in) throws IOException {
      total = ByteBuffer.wrap(in.readAllBytes()).getLong();
    }
  }
}
