package io.onceward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.client.ClusterStore;
import io.onceward.client.Onceward;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.Claimed;
import io.onceward.guard.GuardedId;
import io.onceward.http.StoredResponse;
import io.onceward.jdbc.JdbcClaimStore;
import io.onceward.jdbc.Schema;
import io.onceward.server.FreePorts;
import io.onceward.server.OncewardServer;
import io.onceward.server.ServerSettings;
import io.onceward.services.ServiceDirectory;
import io.onceward.testpostgres.PostgresServer;
import io.onceward.wire.Member;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The queue of unknown requests at the command line, in a real server and a real PostgreSQL. */
@Timeout(60)
class UnknownCommandsTest {
  private static final ClaimTerms TERMS = new ClaimTerms(60_000, 600_000);
  private static final AtomicInteger FRESH = new AtomicInteger();
  @TempDir private static Path folder;
  private static OncewardServer server;
  private static Member member;
  private static Onceward client;
  private static PGSimpleDataSource database;

  /** A store, and the options by which the command line finds it. */
  record Home(ClaimStore store, List<String> options) {
    Shell.Result run(String... words) {
      return run(new Shell(), words);
    }

    Shell.Result run(Shell shell, String... words) {
      return group(shell, "unknown", words);
    }

    Shell.Result claims(String... words) {
      return group(new Shell(), "claims", words);
    }

    private Shell.Result group(Shell shell, String group, String... words) {
      List<String> all = new ArrayList<>(List.of(group));
      all.addAll(List.of(words));
      all.addAll(options);
      return shell
          .with(Connection.VARIABLE, member.clientAddress())
          .run(all.toArray(String[]::new));
    }

    /** Starts a request and says that its fate is unknown. */
    GuardedId unknown(String scope, String key, String memo) {
      GuardedId id = new GuardedId("alice", new Scope(scope), Key.text(key));
      Claimed claimed = store.claim(new Ask(id, null, "charge", memo), TERMS);
      assertThat(store.unknown(id, ((Claimed.Started) claimed).fence(), "timed out")).isTrue();
      return id;
    }

    @Override
    public String toString() {
      return store.getClass().getSimpleName();
    }
  }

  @BeforeAll
  static void start() throws Exception {
    Logs.silence();
    member = FreePorts.members(1, i -> "a").get(0);
    server =
        OncewardServer.start(
            ServerSettings.of(folder.resolve("data"), member, List.of(member)),
            ServiceDirectory.shipped());
    server.ready().get(30, TimeUnit.SECONDS);
    client = Onceward.connect(member.clientAddress());
    database = PostgresServer.shared().freshDatabase();
    Schema.create(database);
  }

  @AfterAll
  static void stop() throws Exception {
    client.close();
    server.close();
  }

  static List<Home> homes() {
    String name = "store-" + FRESH.incrementAndGet();
    return List.of(
        new Home(client.claims(name), List.of("--store", name)),
        new Home(
            JdbcClaimStore.on(database),
            List.of("--jdbc", database.getURL() + "?user=" + database.getUser())));
  }

  @ParameterizedTest
  @MethodSource("homes")
  void queueIsListedOldestFirst(Home home) {
    home.unknown("list", "first", "order 1");
    home.unknown("list", "second", "order 2");
    Shell.Result listed = home.run("ls");
    assertThat(listed.err()).isEmpty();
    assertThat(listed.code()).isZero();
    assertThat(listed.lines().get(0)).startsWith("KEY").contains("FENCE", "STARTED", "MEMO");
    assertThat(listed.out()).containsSubsequence("charge", "order 1", "order 2");
    Map<String, Object> json = home.run("ls", "--json", "--limit", "1").json();
    assertThat(json).containsEntry("more", true);
    home.store().release(new GuardedId("alice", new Scope("list"), Key.text("first")), 1);
    home.store().release(new GuardedId("alice", new Scope("list"), Key.text("second")), 1);
    assertThat(home.run("ls").out()).isEqualTo("nothing is unknown\n");
  }

  /** The fence is what an operator copies into the command that resolves. */
  @ParameterizedTest
  @MethodSource("homes")
  void wordsOfOthersForgeNoLine(Home home) {
    GuardedId id = new GuardedId("alice", new Scope("forged"), Key.text("k\nfence        3"));
    Claimed claimed =
        home.store().claim(new Ask(id, null, "charge", "memo\nfence        4"), TERMS);
    long fence = ((Claimed.Started) claimed).fence();
    assertThat(home.store().unknown(id, fence, "away\nfence        2\u001b[1A")).isTrue();
    Shell.Result shown =
        home.run("show", "k\nfence        3", "--scope", "forged", "--principal", "alice");
    assertThat(shown.out()).doesNotContain("\u001b").contains("away\\nfence");
    assertThat(shown.lines()).filteredOn(line -> line.startsWith("fence")).hasSize(1);
    assertThat(home.run("ls").lines()).filteredOn(line -> line.startsWith("fence")).isEmpty();
    home.store().release(id, fence);
  }

  @ParameterizedTest
  @MethodSource("homes")
  void oneIsShownWithItsEvidence(Home home) {
    GuardedId id = home.unknown("show", "late", "order 3");
    home.store().release(id, 1);
    home.store().claim(new Ask(id, null, "charge", "order 3"), TERMS);
    home.store().unknown(id, 2, "timed out again");
    assertThat(home.store().done(id, 1, Reply.ok("charged after all"))).isFalse();
    Shell.Result shown = home.run("show", "late", "--scope", "show", "--principal", "alice");
    assertThat(shown.code()).isZero();
    assertThat(shown.out())
        .contains(
            "operation    charge", "memo         order 3", "fence        2", "timed out again")
        .contains("run 1 ended late: OK, charged after all");
    assertThat(home.run("show", "late", "--scope", "show", "--principal", "alice", "--json").json())
        .containsEntry("unknown", true)
        .containsEntry("fence", 2L)
        .containsKey("evidence");
    assertThat(home.run("show", "late").code()).isEqualTo(ExitCode.NO.number());
    home.store().release(id, 2);
  }

  /** Callers of HTTP and gRPC may spell more than a text key has room for. */
  @ParameterizedTest
  @MethodSource("homes")
  void longKeyIsFoundAsItsCallerSpellsIt(Home home) {
    String spelled = "order-" + "7".repeat(194);
    GuardedId id = new GuardedId("alice", new Scope("long"), GuardedId.keyOf(spelled));
    home.store().claim(new Ask(id, null, "charge", "order 7"), TERMS);
    home.store().unknown(id, 1, "timed out");
    for (String key : List.of(spelled, id.key().toString())) {
      Shell.Result shown = home.run("show", key, "--scope", "long", "--principal", "alice");
      assertThat(shown.err()).isEmpty();
      assertThat(shown.out()).contains("memo         order 7");
    }
    assertThat(home.run("show", "d:neither a date").code()).isEqualTo(ExitCode.USAGE.number());
    home.store().release(id, 1);
  }

  /** The list ends there; a single request is asked for by its id. */
  @Test
  void requestBehindTheFirstHundredThousandIsShown() throws Exception {
    PGSimpleDataSource crowded = PostgresServer.shared().freshDatabase();
    Schema.create(crowded);
    try (java.sql.Connection connection = crowded.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO onceward_request (principal, scope, key_kind, key_high, key_low, key_text,"
              + " operation, memo, state, fence, started_at, why, retention_millis)"
              + " SELECT '', '', 3, 0, n, 'early ' || n, 'charge', '', 'UNKNOWN', 1,"
              + " now() - interval '1 day', 'lost', 1000 FROM generate_series(1, 100000) n");
    }
    Home home =
        new Home(
            JdbcClaimStore.on(crowded),
            List.of("--jdbc", crowded.getURL() + "?user=" + crowded.getUser()));
    home.unknown("show", "last", "order 5");
    Shell.Result shown = home.run("show", "last", "--scope", "show", "--principal", "alice");
    assertThat(shown.code()).isZero();
    assertThat(shown.out()).contains("order 5", "timed out");
  }

  @ParameterizedTest
  @MethodSource("homes")
  void whatHappenedIsReplayed(Home home) throws Exception {
    GuardedId id = home.unknown("happened", "paid", "order 4");
    String[] words = {
      "resolve",
      "paid",
      "--scope",
      "happened",
      "--principal",
      "alice",
      "--fence",
      "1",
      "--happened",
      "--format",
      "raw",
      "--reply",
      "receipt 77"
    };
    assertThat(home.run(words).out()).isEqualTo("paid happened; retries get this reply\n");
    assertThat(home.run(words).code()).as("said twice").isZero();
    assertThat(home.store().claim(new Ask(id, null, "charge"), TERMS))
        .isEqualTo(new Claimed.Done(Reply.ok("receipt 77")));

    GuardedId declined = home.unknown("happened", "declined", "order 5");
    Path reply = Files.writeString(folder.resolve("reply"), "no funds");
    Shell.Result error =
        home.run(
            "resolve",
            "declined",
            "--scope",
            "happened",
            "--principal",
            "alice",
            "--fence",
            "1",
            "--happened",
            "--format",
            "raw",
            "--business-error",
            "--file",
            reply.toString());
    assertThat(error.code()).isZero();
    assertThat(home.store().claim(new Ask(declined, null, "charge"), TERMS))
        .isEqualTo(new Claimed.Done(Reply.businessError("no funds")));
  }

  @ParameterizedTest
  @MethodSource("homes")
  void whatNoRetryCouldReadIsNotRemembered(Home home) {
    GuardedId id = home.unknown("forms", "form", "order 4");
    for (String[] said :
        List.of(
            new String[] {"--reply", "receipt 77"},
            new String[] {"--format", "text", "--reply", "receipt 77"},
            new String[] {"--format", "http", "--reply", "receipt 77"},
            new String[] {"--format", "http", "--status", "201", "--reply", "receipt 77"},
            new String[] {"--format", "http", "--status", "7", "--reply", ""},
            new String[] {"--format", "http", "--business-error", "--reply", ""},
            new String[] {"--format", "grpc", "--reply", "receipt 77"},
            new String[] {"--format", "grpc", "--business-error", "--reply", ""},
            new String[] {"--format", "json", "--reply", "receipt 77"},
            new String[] {"--format", "json", "--reply", "{\"receipt\":77,}"},
            new String[] {"--format", "json", "--business-error", "--reply", "77"},
            new String[] {"--format", "raw", "--status", "201", "--reply", "receipt 77"})) {
      Shell.Result refused = resolve(home, said);
      assertThat(refused.code()).as(String.join(" ", said)).isEqualTo(ExitCode.USAGE.number());
    }
    assertThat(resolve(home, "--reply", "x").err()).contains("--format http, grpc, json or raw");
    assertThat(home.store().claim(new Ask(id, null, "charge"), TERMS))
        .isInstanceOf(Claimed.Unknown.class);

    String[] created = {
      "--format", "http", "--status", "201", "--media-type", "text/plain", "--reply", "receipt 77"
    };
    assertThat(resolve(home, created).code()).isZero();
    assertThat(resolve(home, created).code()).as("said twice").isZero();
    assertThat(home.store().claim(new Ask(id, null, "charge"), TERMS))
        .isEqualTo(new Claimed.Done(StoredResponse.of(201, "text/plain", "receipt 77").toReply()));
  }

  private static Shell.Result resolve(Home home, String... said) {
    List<String> words = new ArrayList<>();
    words.addAll(List.of("resolve", "form", "--scope", "forms", "--principal", "alice"));
    words.addAll(List.of("--fence", "1", "--happened"));
    words.addAll(List.of(said));
    return home.run(words.toArray(new String[0]));
  }

  @ParameterizedTest
  @MethodSource("homes")
  void runningAgainAsksForConfirmation(Home home) {
    GuardedId id = home.unknown("again", "lost", "order 6");
    String[] words = {
      "resolve",
      "lost",
      "--scope",
      "again",
      "--principal",
      "alice",
      "--fence",
      "1",
      "--can-no-longer-happen"
    };
    Shell.Result silent = home.run(words);
    assertThat(silent.code()).isEqualTo(ExitCode.USAGE.number());
    assertThat(silent.err()).contains("type the key lost to go on", "nothing was changed");
    Shell.Result wrong = home.run(new Shell().input(bytes("yes\n")), words);
    assertThat(wrong.code()).isEqualTo(ExitCode.USAGE.number());
    assertThat(home.store().claim(new Ask(id, null, "charge"), TERMS))
        .isInstanceOf(Claimed.Unknown.class);

    Shell.Result confirmed = home.run(new Shell().input(bytes("lost\n")), words);
    assertThat(confirmed.code()).isZero();
    assertThat(confirmed.out()).isEqualTo("lost is free; the next copy of it runs\n");
    assertThat(home.store().claim(new Ask(id, null, "charge"), TERMS))
        .isInstanceOf(Claimed.Started.class);
    home.store().done(id, 2, Reply.ok("run again"));
  }

  @ParameterizedTest
  @MethodSource("homes")
  void anotherRunIsNotResolved(Home home) {
    GuardedId id = home.unknown("fence", "other", "order 7");
    Shell.Result refused =
        home.run(
            "resolve",
            "other",
            "--scope",
            "fence",
            "--principal",
            "alice",
            "--fence",
            "2",
            "--can-no-longer-happen",
            "--yes");
    assertThat(refused.code()).isEqualTo(ExitCode.NO.number());
    assertThat(refused.err())
        .contains("other is not unknown with fence 2", "onceward unknown show other --scope fence");
    assertThat(home.store().claim(new Ask(id, null, "charge"), TERMS))
        .isInstanceOf(Claimed.Unknown.class);
    home.store().release(id, 1);
  }

  @ParameterizedTest
  @MethodSource("homes")
  void wrongWordsAreRefusedBeforeAnythingIsAsked(Home home) {
    for (String[] words :
        List.of(
            new String[] {"ls", "--limit", "0"},
            new String[] {"resolve", "k", "--fence", "1"},
            new String[] {"resolve", "k", "--happened", "--reply", "x"},
            new String[] {"resolve", "k", "--fence", "0", "--happened", "--reply", "x"},
            new String[] {"resolve", "k", "--fence", "1", "--happened"},
            new String[] {"resolve", "k", "--fence", "1", "--can-no-longer-happen", "--reply", "x"},
            new String[] {
              "resolve", "k", "--fence", "1", "--can-no-longer-happen", "--happened", "--reply", "x"
            },
            new String[] {"show", ""})) {
      assertThat(home.run(words).code())
          .as(String.join(" ", words))
          .isEqualTo(ExitCode.USAGE.number());
    }
    assertThat(new Shell().run("unknown", "ls", "--jdbc", "jdbc:mysql://x/y").code())
        .isEqualTo(ExitCode.USAGE.number());
    assertThat(
            new Shell()
                .run("unknown", "ls", "--jdbc", "jdbc:postgresql://x/y", "--store", "s")
                .err())
        .contains("--at and --store are for a cluster");
  }

  @Test
  void aDatabaseThatIsAwaySaysWhy() throws IOException {
    String nobody = "127.0.0.1:" + FreePorts.one();
    Shell.Result result =
        new Shell().run("unknown", "ls", "--jdbc", "jdbc:postgresql://" + nobody + "/x?user=a");
    assertThat(result.code()).isEqualTo(ExitCode.UNREACHABLE.number());
    assertThat(result.err()).contains("Connection to " + nobody + " refused").hasLineCount(1);
  }

  @ParameterizedTest
  @MethodSource("homes")
  void oldRequestsAreCountedThenForgotten(Home home) {
    Shell.Result counted = home.claims("forget", "--before", "2020-01-01", "--dry-run");
    assertThat(counted.err()).isEmpty();
    assertThat(counted.code()).isZero();
    assertThat(counted.out())
        .isEqualTo("would forget 0 requests started before 2020-01-01T00:00:00Z\n");
    GuardedId id = new GuardedId("alice", new Scope("forget"), Key.text("done"));
    home.store().claim(new Ask(id, null, "charge"), TERMS);
    home.store().done(id, 1, Reply.ok("paid"));
    assertThat(home.claims("forget", "--before", "2020-01-01", "--json").json())
        .containsEntry("requests", 0L)
        .containsEntry("dryRun", false);
    assertThat(home.store().claim(new Ask(id, null, "charge"), TERMS))
        .isEqualTo(new Claimed.Done(Reply.ok("paid")));
    Shell.Result tooYoung = home.claims("forget", "--before", "2999-01-01");
    assertThat(tooYoung.code()).isEqualTo(ExitCode.USAGE.number());
    assertThat(tooYoung.err()).contains("at least 10m ago");
  }

  @ParameterizedTest
  @MethodSource("homes")
  void oldRequestsOfAClusterAreForgottenByAge(Home home) {
    Shell.Result counted = home.claims("forget", "--older-than", "1h", "--dry-run");
    if (home.options().contains("--jdbc")) {
      assertThat(counted.code()).isEqualTo(ExitCode.USAGE.number());
      assertThat(counted.err()).contains("a PostgreSQL has none: give --before");
      return;
    }
    assertThat(counted.err()).isEmpty();
    assertThat(counted.out())
        .startsWith(
            "would forget 0 requests started longer ago than 1h; the age of the cluster is");
    GuardedId id = new GuardedId("alice", new Scope("by age"), Key.text("done"));
    home.store().claim(new Ask(id, null, "charge"), TERMS);
    home.store().done(id, 1, Reply.ok("paid"));
    assertThat(home.claims("forget", "--older-than", "30d", "--json").json())
        .containsEntry("requests", 0L)
        .containsEntry("dryRun", false)
        .containsKey("beforeAgeMillis");
    ClusterStore store = (ClusterStore) home.store();
    assertThat(store.countByAge(Duration.ofDays(1))).isEqualTo(1);
    assertThat(store.forgetByAge(Duration.ofDays(1))).isEqualTo(1);
    assertThat(store.forgetByAge(Duration.ofDays(1))).isZero();
    Shell.Result tooYoung = home.claims("forget", "--older-than", "9m");
    assertThat(tooYoung.code()).isEqualTo(ExitCode.USAGE.number());
    assertThat(tooYoung.err()).contains("at least 10m");
    assertThat(home.claims("forget", "--older-than", "1h", "--before", "2020-01-01").code())
        .isEqualTo(ExitCode.USAGE.number());
  }

  @ParameterizedTest
  @MethodSource("homes")
  void scopeOfTheClusterTakesDatedIdsOnly(Home home) {
    GuardedId id = new GuardedId("alice", new Scope("dated"), Key.text("new"));
    Shell.Result set = home.claims("scope", "dated", "--dated-only");
    if (home.options().contains("--jdbc")) {
      assertThat(set.code()).isEqualTo(ExitCode.USAGE.number());
      assertThat(set.err()).contains("datedOnly of its builder");
      return;
    }
    assertThat(set.out()).isEqualTo("scope \"dated\" takes dated ids only\n");
    assertThat(home.store().claim(new Ask(id, null, "charge"), TERMS))
        .isEqualTo(new Claimed.Refused(Refusal.UNDATED));
    assertThat(home.claims("scope", "dated").code()).isEqualTo(ExitCode.USAGE.number());
    assertThat(home.claims("scope", "dated", "--no-dated-only", "--json").json())
        .containsEntry("datedOnly", false);
    assertThat(home.store().claim(new Ask(id, null, "charge"), TERMS))
        .isInstanceOf(Claimed.Started.class);
  }

  @ParameterizedTest
  @MethodSource("homes")
  void whatIsNotThereIsNotReached(Home home) throws Exception {
    int port = FreePorts.members(1, i -> "b").get(0).clientPort();
    Shell.Result cluster =
        new Shell().run("unknown", "ls", "--at", "127.0.0.1:" + port, "--deadline", "200ms");
    assertThat(cluster.code()).isEqualTo(ExitCode.UNREACHABLE.number());
    Shell.Result postgres =
        new Shell().run("unknown", "ls", "--jdbc", "jdbc:postgresql://127.0.0.1:" + port + "/x");
    assertThat(postgres.code()).isEqualTo(ExitCode.UNREACHABLE.number());
    assertThat(home.options()).isNotEmpty();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
