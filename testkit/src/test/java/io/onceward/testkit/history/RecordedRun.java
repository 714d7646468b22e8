package io.onceward.testkit.history;

import io.onceward.Bytes;
import io.onceward.Command;
import io.onceward.Executed;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Service;
import io.onceward.testkit.history.numbered.NumberedAccounts;
import io.onceward.testkit.history.numbered.NumberedCounters;
import io.onceward.testkit.history.numbered.NumberedLeases;
import io.onceward.testkit.history.numbered.NumberedLists;
import io.onceward.testkit.history.numbered.NumberedRegisters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A run that a test tells step by step, on the real numbered services and with a clock that goes on
 * by one with each event. The test decides who hears what, so it can tell lies.
 */
final class RecordedRun implements AutoCloseable {
  static final String COUNTERS = "counters";
  static final String REGISTERS = "registers";
  static final String LEASES = "leases";
  static final String LISTS = "lists";
  static final String ACCOUNTS = "accounts";

  /** What the log decided. */
  record Effect(Reply reply, long position, long timeMillis) {}

  final HistoryOptions options =
      new HistoryOptions()
          .service(COUNTERS, ServiceKind.COUNTERS)
          .service(REGISTERS, ServiceKind.REGISTERS)
          .service(LEASES, ServiceKind.LEASES)
          .service(LISTS, ServiceKind.LISTS)
          .service(ACCOUNTS, ServiceKind.ACCOUNTS)
          .search(Duration.ofSeconds(20), 40);
  final HistoryWriter writer;
  private final Path path;
  private final Map<String, Service> services =
      Map.of(
          COUNTERS, new NumberedCounters(),
          REGISTERS, new NumberedRegisters(),
          LEASES, new NumberedLeases(),
          LISTS, new NumberedLists(),
          ACCOUNTS, new NumberedAccounts());
  private long now;
  private long position;
  private int requests;
  long timeMillis = 1_000_000;

  RecordedRun(Path folder) {
    path = folder.resolve("history-" + System.nanoTime());
    try {
      writer = HistoryWriter.create(path, () -> ++now);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes effect, in the next entry of the log. */
  Effect effect(String service, Bytes command) {
    position++;
    Command asked = new Command(command, "anonymous", position, timeMillis, timeMillis);
    Service addressee = services.get(service);
    return new Effect(Objects.requireNonNull(addressee).execute(asked), position, timeMillis);
  }

  Reply look(String service, Bytes question) {
    Command asked = new Command(question, "anonymous", position, timeMillis, timeMillis);
    return Objects.requireNonNull(services.get(service)).query(asked);
  }

  String newId() {
    return "r" + ++requests;
  }

  long invoke(String service, @Nullable String id, Bytes command) {
    return writer.invoked("client", service, id, command);
  }

  void answer(long op, Effect effect) {
    writer.answered(op, effect.reply(), effect.position(), effect.timeMillis(), false);
  }

  void replay(long op, Effect effect) {
    writer.answered(op, effect.reply(), effect.position(), effect.timeMillis(), true);
  }

  /** Sent, executed, answered, with nothing else in between. */
  Effect request(String service, Bytes command) {
    long op = invoke(service, newId(), command);
    Effect effect = effect(service, command);
    answer(op, effect);
    return effect;
  }

  void query(String service, Bytes question) {
    long op = writer.queried("client", service, question);
    writer.answered(op, look(service, question));
  }

  void refuse(long op, Refusal refusal) {
    writer.refused(op, refusal, Executed.of(refusal.executed()));
  }

  HistoryCheck check() {
    try {
      return HistoryCheck.of(List.of(path), options);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The names of the linear checks that found something. */
  List<String> broken() {
    return check().findings().stream()
        .filter(finding -> !finding.holds())
        .map(Finding::name)
        .filter(name -> !name.equals("KeysAreLinearizable"))
        .toList();
  }

  boolean isBrokenBySearch() {
    return check().findings().stream()
        .anyMatch(finding -> !finding.holds() && finding.name().equals("KeysAreLinearizable"));
  }

  Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
