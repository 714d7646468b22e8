package io.onceward.testkit.history;

import static io.onceward.testkit.history.RecordedRun.ACCOUNTS;
import static io.onceward.testkit.history.RecordedRun.COUNTERS;
import static io.onceward.testkit.history.RecordedRun.LEASES;
import static io.onceward.testkit.history.RecordedRun.LISTS;
import static io.onceward.testkit.history.RecordedRun.REGISTERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.services.CounterCommand;
import io.onceward.services.KeyValueCommand;
import io.onceward.services.LeaseCommand;
import io.onceward.testkit.history.numbered.AccountCommand;
import io.onceward.testkit.history.numbered.ListCommand;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryCheckTest {
  private static final Bytes ADD = add("hits", 1);

  @TempDir Path folder;
  private RecordedRun run;

  @BeforeEach
  void begin() {
    run = new RecordedRun(folder);
  }

  @AfterEach
  void end() throws IOException {
    run.close();
  }

  // ---- honest runs

  @Test
  void anHonestRunOfEveryServiceHolds() {
    run.request(COUNTERS, ADD);
    run.request(COUNTERS, add("hits", Long.MAX_VALUE));
    run.query(COUNTERS, CounterCommand.encode(new CounterCommand.Get("hits")));
    run.request(REGISTERS, put("k", "1"));
    run.request(REGISTERS, cas("k", 1, "2"));
    run.request(REGISTERS, cas("k", 1, "3"));
    run.query(REGISTERS, get("k"));
    run.request(REGISTERS, KeyValueCommand.encode(new KeyValueCommand.Delete(text("k"))));
    run.request(REGISTERS, put("a", "1"));
    run.query(
        REGISTERS, KeyValueCommand.encode(new KeyValueCommand.Page(Bytes.EMPTY, Bytes.EMPTY, 10)));
    honestLeases();
    run.request(LISTS, ListCommand.append("l", text("x")));
    run.request(LISTS, ListCommand.append("l", text("y")));
    run.request(LISTS, ListCommand.read("l"));
    run.query(LISTS, ListCommand.read("m"));
    run.request(ACCOUNTS, AccountCommand.deposit("a", 10));
    run.request(ACCOUNTS, AccountCommand.transfer("a", "b", 7));
    run.request(ACCOUNTS, AccountCommand.transfer("a", "b", 7));
    run.query(ACCOUNTS, AccountCommand.balance("b"));
    run.query(ACCOUNTS, AccountCommand.books());
    run.options.finalSerial(COUNTERS, 2).finalState("n1", 9, "x").finalState("n2", 9, "x");
    assertThat(run.broken()).isEmpty();
    assertThat(run.check().summary().decided()).isEqualTo(18);
  }

  private void honestLeases() {
    run.request(LEASES, LeaseCommand.encode(new LeaseCommand.Acquire("l", "h", 100)));
    run.request(LEASES, LeaseCommand.encode(new LeaseCommand.Acquire("l", "g", 100)));
    run.timeMillis += 50;
    run.request(LEASES, LeaseCommand.encode(new LeaseCommand.Renew("l", "h", 1, 100)));
    run.query(LEASES, LeaseCommand.encode(new LeaseCommand.Get("l")));
    run.timeMillis += 200;
    run.query(LEASES, LeaseCommand.encode(new LeaseCommand.Get("l")));
    run.request(LEASES, LeaseCommand.encode(new LeaseCommand.Release("l", "h", 1)));
    run.request(LEASES, LeaseCommand.encode(new LeaseCommand.Acquire("l", "g", 100)));
  }

  private static Bytes add(String name, long amount) {
    return CounterCommand.encode(new CounterCommand.Add(name, amount));
  }

  private static Bytes put(String key, String value) {
    return KeyValueCommand.encode(new KeyValueCommand.Put(text(key), text(value)));
  }

  private static Bytes cas(String key, long version, String value) {
    return KeyValueCommand.encode(
        new KeyValueCommand.CompareAndSet(text(key), version, text(value)));
  }

  private static Bytes get(String key) {
    return KeyValueCommand.encode(new KeyValueCommand.Get(text(key)));
  }

  private static Bytes text(String text) {
    return Bytes.utf8(text);
  }
}
