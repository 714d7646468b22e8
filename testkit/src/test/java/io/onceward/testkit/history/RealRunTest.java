package io.onceward.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.client.Decided;
import io.onceward.client.Keyed;
import io.onceward.client.Onceward;
import io.onceward.client.Session;
import io.onceward.server.FreePorts;
import io.onceward.server.OncewardServer;
import io.onceward.server.ServerSettings;
import io.onceward.services.CounterCommand;
import io.onceward.services.ServiceDirectory;
import io.onceward.testkit.history.numbered.AccountCommand;
import io.onceward.testkit.history.numbered.Numbered;
import io.onceward.testkit.history.numbered.NumberedAccounts;
import io.onceward.testkit.history.numbered.NumberedCounters;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The way a harness goes: a real node with numbered services, clients that record, the verdict. */
@Timeout(120)
class RealRunTest {
  private static final Bytes GET = CounterCommand.encode(new CounterCommand.Get("hits"));

  @TempDir Path folder;

  @Test
  void aRecordedRunOfARealNodeHolds() throws Exception {
    Path file = folder.resolve("history");
    ServiceDirectory services =
        ServiceDirectory.shipped()
            .with("counters", new NumberedCounters())
            .with("accounts", new NumberedAccounts());
    ServerSettings settings =
        ServerSettings.alone(folder.resolve("n1"), FreePorts.one(), FreePorts.one());
    try (OncewardServer server = OncewardServer.start(settings, services);
        HistoryWriter writer = HistoryWriter.create(file)) {
      server.ready().get(30, TimeUnit.SECONDS);
      try (Onceward client = Onceward.connect("127.0.0.1:" + server.clientPort())) {
        List<CompletableFuture<?>> open = new ArrayList<>();
        try (Session session = client.openSession().join()) {
          for (int i = 0; i < 200; i++) {
            open.add(inSession(writer, session, i));
            open.add(query(writer, client));
          }
          CompletableFuture.allOf(open.toArray(new CompletableFuture<?>[0])).join();
        }
        Keyed keyed = client.keyed().keepingReplies();
        for (int i = 0; i < 100; i++) {
          underAKey(writer, keyed);
        }
        HistoryCheck check = HistoryCheck.of(List.of(file), options(client));
        assertThat(check.findings()).allMatch(Finding::holds);
        assertThat(check.findings())
            .filteredOn(finding -> finding.checked() > 0)
            .extracting(Finding::name)
            .contains("SessionOrderIsKept", "RepliesAsTheModelSays", "BooksBalance");
        assertThat(check.summary().decided()).isEqualTo(300);
        assertThat(check.summary().replayed()).isGreaterThanOrEqualTo(100);
        assertThat(check.summary().holes()).isZero();
      }
    }
  }

  private static CompletableFuture<Void> inSession(HistoryWriter writer, Session session, int i) {
    Bytes command = CounterCommand.encode(new CounterCommand.Add("hits", 1));
    long op = writer.invoked("session", "counters", "s" + i, command);
    return session
        .submit("counters", command)
        .thenAccept(decided -> writer.answered(op, decided, true));
  }

  private static CompletableFuture<Void> query(HistoryWriter writer, Onceward client) {
    long op = writer.queried("reader", "counters", GET);
    return client.query("counters", GET).thenAccept(reply -> writer.answered(op, reply));
  }

  private static void underAKey(HistoryWriter writer, Keyed keyed) {
    Key key = keyed.newKey();
    Bytes command = AccountCommand.deposit("a", 1);
    for (int copy = 0; copy < 2; copy++) {
      long op = writer.invoked("keyed", "accounts", key.toString(), command);
      Decided decided = keyed.submit(key, "accounts", command).join();
      writer.answered(op, decided, false);
    }
  }

  private static HistoryOptions options(Onceward client) {
    Reply counters = client.query("counters", GET).join();
    Reply accounts = client.query("accounts", AccountCommand.books()).join();
    return new HistoryOptions()
        .service("counters", ServiceKind.COUNTERS)
        .service("accounts", ServiceKind.ACCOUNTS)
        .finalSerial("counters", Numbered.serialOf(counters))
        .finalSerial("accounts", Numbered.serialOf(accounts))
        .search(Duration.ofSeconds(10), 100);
  }
}
