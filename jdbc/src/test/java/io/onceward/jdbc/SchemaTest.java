package io.onceward.jdbc;

import static io.onceward.jdbc.Bank.asking;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.onceward.Reply;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.Claimed;
import io.onceward.guard.Ruling;
import io.onceward.testpostgres.PostgresServer;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The tables are made, checked, and refused with a reason. */
class SchemaTest {
  @Test
  void creatingTwiceChangesNothing() {
    Bank bank = new Bank();
    String identity = bank.ask("SELECT identity FROM onceward_schema");
    bank.run("UPDATE onceward_horizon SET dated = 42");
    Schema.create(bank.dataSource());
    assertThat(bank.ask("SELECT identity FROM onceward_schema")).isEqualTo(identity);
    assertThat(bank.number("SELECT dated FROM onceward_horizon")).isEqualTo(42);
  }

  @Test
  void tablesOfTheFirstVersionAreRefusedUntilTheyAreBroughtUpToDate() {
    Bank bank = new Bank();
    bank.run("DROP TABLE onceward_sweep, onceward_fence");
    bank.run("UPDATE onceward_schema SET version = 1");
    assertThatIllegalStateException()
        .isThrownBy(() -> OnceTransaction.on(bank.dataSource()).build())
        .withMessageContaining("the table onceward_sweep")
        .withMessageContaining("Schema.create");
    Schema.create(bank.dataSource());
    assertThatCode(() -> OnceTransaction.on(bank.dataSource()).build()).doesNotThrowAnyException();
  }

  /** It dropped records without remembering their fences. */
  @Test
  void tablesOfTheSecondVersionStartFarAboveTheFencesThatTheyMayHaveDropped() {
    Bank bank = new Bank();
    JdbcClaimStore store = JdbcClaimStore.on(bank.dataSource());
    ClaimTerms terms = new ClaimTerms(60_000, 60_000);
    assertThat(store.claim(asking("a"), terms)).isEqualTo(new Claimed.Started(1));
    bank.run("DROP TABLE onceward_fence");
    bank.run("DELETE FROM onceward_request");
    bank.run("UPDATE onceward_schema SET version = 2");
    assertThatIllegalStateException()
        .isThrownBy(() -> JdbcClaimStore.on(bank.dataSource()))
        .withMessageContaining("the table onceward_fence")
        .withMessageContaining("Schema.create");
    Schema.create(bank.dataSource());
    Schema.create(bank.dataSource());
    assertThat(store.claim(asking("a"), terms)).isEqualTo(new Claimed.Started(1_002));
    assertThat(store.release(asking("a").id(), 1)).isFalse();
  }

  @Test
  void processesThatStartTogetherDoNotDisturbEachOther() throws Exception {
    PGSimpleDataSource fresh = PostgresServer.shared().freshSchema();
    List<CompletableFuture<Void>> creations = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      creations.add(CompletableFuture.runAsync(() -> Schema.create(fresh)));
    }
    for (CompletableFuture<Void> creation : creations) {
      creation.get(30, TimeUnit.SECONDS);
    }
    assertThatCode(() -> Schema.validate(fresh)).doesNotThrowAnyException();
  }

  @Test
  void anEmptyDatabaseIsToldWhatItLacksAndWhatToDo() {
    PGSimpleDataSource fresh = PostgresServer.shared().freshSchema();
    assertThatIllegalStateException()
        .isThrownBy(() -> OnceTransaction.on(fresh).build())
        .withMessageContaining("the table onceward_evidence; the table onceward_fence")
        .withMessageContaining("the table onceward_horizon")
        .withMessageContaining("the table onceward_request")
        .withMessageContaining("Schema.create")
        .withMessageContaining("classpath:db/onceward");
    assertThatIllegalStateException().isThrownBy(() -> JdbcClaimStore.on(fresh));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ALTER TABLE onceward_request DROP COLUMN fence, DROP COLUMN memo"
            + "| in the table onceward_request the columns memo, fence",
        "ALTER TABLE onceward_request DROP CONSTRAINT onceward_request_pkey | lacks its primary key",
        "ALTER TABLE onceward_request RENAME TO ordinary; CREATE TABLE onceward_request (LIKE ordinary,"
            + " PRIMARY KEY (principal, scope, key_kind, key_high, key_low)) PARTITION BY HASH (scope)"
            + "| is partitioned",
        "UPDATE onceward_schema SET version = 7 | version 7",
        "UPDATE onceward_schema SET version = 2 | version 2",
        "DELETE FROM onceward_horizon | lost its only row",
        "DELETE FROM onceward_fence | lost its only row",
        "ALTER TABLE onceward_request SET UNLOGGED"
            + "| onceward_request does not survive a crash of the server",
        "ALTER TABLE onceward_horizon SET UNLOGGED; ALTER TABLE onceward_evidence SET UNLOGGED"
            + "| onceward_evidence, onceward_horizon does not survive",
        "DROP TABLE onceward_schema | the table onceward_schema",
      })
  void tablesThatWereChangedAreRefusedWithTheReason(String change, String reason) {
    Bank bank = new Bank();
    bank.run(change);
    assertThatIllegalStateException()
        .isThrownBy(() -> Schema.validate(bank.dataSource()))
        .withMessageContaining(reason.strip());
  }

  @Test
  void flywayMakesTheSameTables() throws Exception {
    PGSimpleDataSource fresh = PostgresServer.shared().freshSchema();
    Flyway flyway = Flyway.configure().dataSource(fresh).locations("classpath:db/onceward").load();
    flyway.migrate();
    flyway.validate();
    OnceTransaction once = OnceTransaction.on(fresh).build();
    assertThat(once.decide(asking("a"), connection -> Reply.ok("done")))
        .isEqualTo(new Ruling.Replied(Reply.ok("done"), false));
    try (InputStream migration =
        SchemaTest.class.getResourceAsStream("/db/onceward/R__onceward.sql")) {
      assertThat(new String(migration.readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo(Schema.script());
    }
  }

  /** The rest of the connection is real; only the name differs, which is all that is looked at. */
  @ParameterizedTest
  @ValueSource(strings = {"MariaDB", "MySQL", "H2", "Oracle"})
  void otherDatabasesAreRefusedAtTheStart(String product) {
    DataSource disguised = disguised(new Bank().dataSource(), product, 18);
    assertThatIllegalStateException()
        .isThrownBy(() -> OnceTransaction.on(disguised).build())
        .withMessageContaining("PostgreSQL only")
        .withMessageContaining(product);
    assertThatIllegalStateException().isThrownBy(() -> Schema.create(disguised));
  }

  @Test
  void anOldServerIsRefused() {
    DataSource disguised = disguised(new Bank().dataSource(), "PostgreSQL", 12);
    assertThatIllegalStateException()
        .isThrownBy(() -> OnceTransaction.on(disguised).build())
        .withMessageContaining("PostgreSQL 13 or newer");
  }

  private static DataSource disguised(DataSource real, String product, int version) {
    return proxy(
        DataSource.class,
        real,
        "getConnection",
        connection ->
            proxy(
                Connection.class,
                (Connection) connection,
                "getMetaData",
                metadata ->
                    proxy(
                        DatabaseMetaData.class,
                        proxy(
                            DatabaseMetaData.class,
                            (DatabaseMetaData) metadata,
                            "getDatabaseMajorVersion",
                            ignored -> version),
                        "getDatabaseProductName",
                        ignored -> product)));
  }

  private static <T> T proxy(
      Class<T> type, T real, String method, java.util.function.UnaryOperator<Object> change) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, called, arguments) -> {
              Object answer = called.invoke(real, arguments);
              return called.getName().equals(method) ? change.apply(answer) : answer;
            }));
  }
}
