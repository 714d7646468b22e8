package io.onceward.torture;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.RequestId;
import io.onceward.client.Decided;
import io.onceward.client.Keyed;
import io.onceward.client.Onceward;
import io.onceward.testkit.history.HistoryWriter;
import io.onceward.testkit.history.numbered.AccountCommand;
import io.onceward.testkit.history.numbered.Numbered;
import io.onceward.torture.client.Workload;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The harness as a client: it opens the accounts, asks what became of requests that nobody else can
 * ask for any more, and reads every service at the end. All of that is in a history, too.
 */
final class House implements Closeable {
  private static final String NAME = "house";
  private static final long PATIENCE_SECONDS = 60;

  private final Onceward onceward;
  private final Path path;
  private final HistoryWriter history;

  House(Onceward onceward, Path folder) throws IOException {
    this.onceward = onceward;
    this.path = folder.resolve("house.1.history");
    this.history = HistoryWriter.create(path);
  }

  Path history() {
    return path;
  }

  /** Brings the money in. */
  void openAccounts() throws IOException, InterruptedException {
    Keyed keyed = onceward.keyed().keepingReplies();
    for (int i = 0; i < Workload.ACCOUNT_COUNT; i++) {
      var key = keyed.newKey();
      String id = new RequestId.OfKey(keyed.scope(), key).print();
      Bytes command = AccountCommand.deposit(Workload.account(i), Workload.FIRST_DEPOSIT);
      long op = history.invoked(NAME, "accounts", id, command);
      Decided decided = get("a deposit", keyed.submit(key, "accounts", command));
      history.answered(op, decided, false);
    }
  }

  /** Finds out what became of a request under a key whose sender is gone: abandoning decides. */
  void settle(String service, String id) throws IOException, InterruptedException {
    long op = history.inquired(NAME, service, id);
    history.learned(op, get("the end of " + id, onceward.abandon(RequestId.parse(id))));
  }

  /** Reads every service once more, linearizably, and gives how much each has ever executed. */
  Map<String, Long> readAll() throws IOException, InterruptedException {
    Map<String, Long> serials = new LinkedHashMap<>();
    for (String service : Workload.SERVICES.keySet()) {
      Bytes question = Workload.anyQuestion(service);
      long op = history.queried(NAME, service, question);
      Reply reply = get("the last word of " + service, onceward.query(service, question));
      history.answered(op, reply);
      serials.put(service, Numbered.serialOf(reply));
    }
    return serials;
  }

  private static <T> T get(String what, CompletableFuture<T> answer)
      throws IOException, InterruptedException {
    try {
      return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      throw new IOException(what + " failed: " + failed.getCause(), failed);
    } catch (TimeoutException late) {
      throw new IOException(what + " did not come in " + PATIENCE_SECONDS + " s", late);
    }
  }

  @Override
  public void close() throws IOException {
    history.close();
  }
}
