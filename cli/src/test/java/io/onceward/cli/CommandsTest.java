package io.onceward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Key;
import io.onceward.RequestId;
import io.onceward.client.Abandonment;
import io.onceward.client.Decided;
import io.onceward.client.Onceward;
import io.onceward.client.Session;
import io.onceward.client.SessionOptions;
import io.onceward.server.FreePorts;
import io.onceward.server.OncewardServer;
import io.onceward.server.ServerSettings;
import io.onceward.services.CounterCommand;
import io.onceward.services.ServiceDirectory;
import io.onceward.wire.Member;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every command against a real server in this process. */
@Timeout(60)
class CommandsTest {
  @TempDir private static Path folder;
  private static OncewardServer server;
  private static Member member;

  @BeforeAll
  static void startServer() throws Exception {
    Logs.silence();
    member = FreePorts.members(1, i -> String.valueOf((char) ('a' + i))).get(0);
    server =
        OncewardServer.start(
            ServerSettings.of(folder.resolve("data"), member, List.of(member)),
            ServiceDirectory.shipped());
    server.ready().get(30, TimeUnit.SECONDS);
  }

  @AfterAll
  static void stopServer() throws Exception {
    server.close();
  }

  private static Shell.Result run(String... words) {
    return new Shell().with(Connection.VARIABLE, member.clientAddress()).run(words);
  }

  /** A command that has to succeed; gives its only line. */
  private static String line(String... words) {
    Shell.Result result = run(words);
    assertThat(result.err()).isEmpty();
    assertThat(result.code()).isZero();
    return result.out().strip();
  }

  private static long number(Map<String, Object> json, String name) {
    return (Long) Objects.requireNonNull(json.get(name), name);
  }

  private static void assertFails(ExitCode exit, String message, String... words) {
    Shell.Result result = run(words);
    assertThat(result.err()).startsWith("onceward: ").contains(message).hasLineCount(1);
    assertThat(result.code()).isEqualTo(exit.number());
    assertThat(result.out()).isEmpty();
  }

  // ---- keys and values ------------------------------------------------------------------------

  @Test
  void aValueIsStoredAndFound() {
    assertThat(line("kv", "put", "greeting", "good evening, Zoë")).startsWith("stored greeting");
    assertThat(line("kv", "get", "greeting")).isEqualTo("good evening, Zoë");
    assertThat(run("kv", "get", "greeting", "--json").json())
        .containsEntry("found", true)
        .containsEntry("value", "good evening, Zoë")
        .containsKey("version");
  }

  @Test
  void aMissingKeyIsExitCodeOne() {
    assertFails(ExitCode.NO, "there is no key missing", "kv", "get", "missing");
    Shell.Result json = run("kv", "get", "missing", "--json");
    assertThat(json.code()).isEqualTo(1);
    assertThat(json.json()).containsEntry("found", false);
  }

  @Test
  void theSameCommandWithTheSameIdReplays() {
    String first = line("kv", "put", "x", "1", "--request-id", "put-1");
    assertThat(line("kv", "put", "x", "1", "--request-id", "put-1")).isEqualTo(first + " (replay)");
    assertThat(run("kv", "put", "x", "1", "--request-id", "put-1", "--json").json())
        .containsEntry("replay", true)
        .containsEntry("requestId", "s:put-1");
    assertFails(ExitCode.REFUSED, "MISMATCH", "kv", "put", "x", "2", "--request-id", "put-1");
  }

  @Test
  void outcomeOfAPassedSequenceDoesNotClaimThatItExecuted() {
    try (Onceward client = Onceward.connect(member.clientAddress())) {
      Session session = client.open(SessionOptions.registered()).join();
      Bytes command = CounterCommand.encode(new CounterCommand.Add("passed", 1));
      RequestId first = session.submit("counter", command).join().id();
      RequestId.OfSequence id = (RequestId.OfSequence) first;
      RequestId abandoned = new RequestId.OfSequence(id.address(), 2);
      assertThat(session.abandon(abandoned).join()).isEqualTo(new Abandonment.Closed(true));
      for (int i = 0; i < 3; i++) {
        CompletableFuture<Decided> answer = session.submit("counter", command);
        assertThat(answer.handle((decided, failure) -> true).join()).isTrue();
      }
      for (RequestId passed : List.of(first, abandoned)) {
        Shell.Result told = run("outcome", passed.print());
        assertThat(told.out())
            .isEqualTo("decided; whether it executed or was abandoned is no longer known\n");
        assertThat(told.code()).isEqualTo(ExitCode.UNKNOWN.number());
      }
    }
  }

  @Test
  void abandonedUndatedKeyIsClosedUntilItsRetentionEnds() {
    assertThat(run("abandon", "never-sent").code()).isZero();
    Shell.Result told = run("outcome", "never-sent");
    assertThat(told.out()).contains("will not until its retention ends").doesNotContain("never");
    assertThat(told.code()).isEqualTo(ExitCode.NO.number());
    String dated = Key.dated((System.currentTimeMillis() - 60_000) * 1_000, 7).toString();
    assertThat(run("abandon", dated).code()).isZero();
    assertThat(run("outcome", dated).out()).contains("never will");
  }

  @Test
  void theSameIdInAnotherScopeIsAnotherRequest() {
    assertThat(line("counter", "add", "scoped", "1", "--request-id", "s")).isEqualTo("1");
    assertThat(line("counter", "add", "scoped", "1", "--request-id", "s", "--scope", "a"))
        .isEqualTo("2");
    assertThat(line("counter", "add", "scoped", "1", "--request-id", "in:a/s:s"))
        .isEqualTo("2 (replay)");
    assertFails(
        ExitCode.USAGE,
        "--scope says \"b\"",
        "counter",
        "add",
        "scoped",
        "1",
        "--request-id",
        "in:a/s:s",
        "--scope",
        "b");
  }

  @Test
  void compareAndSetMindsTheVersion() {
    long version = (Long) run("kv", "cas", "c", "0", "one", "--json").json().get("version");
    assertFails(
        ExitCode.NO, "version is " + version + ", expected 0", "kv", "cas", "c", "0", "two");
    assertThat(line("kv", "cas", "c", String.valueOf(version), "two")).startsWith("stored c");
    assertThat(line("kv", "get", "c")).isEqualTo("two");
  }

  @Test
  void aBusinessErrorIsReplayedToo() {
    line("kv", "put", "taken", "x");
    String[] words = {"kv", "cas", "taken", "0", "y", "--request-id", "cas-1", "--json"};
    Map<String, Object> first = JsonText.object(run(words).err().strip());
    assertThat(first).containsEntry("replay", false).containsEntry("exit", 1L);
    Map<String, Object> again = JsonText.object(run(words).err().strip());
    assertThat(again)
        .containsEntry("replay", true)
        .containsEntry("kind", "BUSINESS_ERROR")
        .containsEntry("position", first.get("position"));
  }

  @Test
  void deletingSaysWhetherItWasThere() {
    line("kv", "put", "d", "x");
    assertThat(line("kv", "delete", "d")).isEqualTo("deleted d");
    assertThat(line("kv", "delete", "d")).isEqualTo("d was not there");
  }

  @Test
  void keysAreListedInOrderPageByPage() {
    for (String key : List.of("list/b", "list/a", "list/c")) {
      line("kv", "put", key, "value of " + key);
    }
    assertThat(run("kv", "list", "list/").lines())
        .satisfiesExactly(
            heading -> assertThat(heading).startsWith("KEY"),
            row -> assertThat(row).startsWith("list/a ").endsWith("value of list/a"),
            row -> assertThat(row).startsWith("list/b "),
            row -> assertThat(row).startsWith("list/c "));
    Map<String, Object> page =
        run("kv", "list", "list/", "--after", "list/a", "--limit", "1", "--json").json();
    assertThat(page).containsEntry("more", true);
    assertThat(JsonText.objects(page, "entries"))
        .singleElement()
        .satisfies(entry -> assertThat(entry).containsEntry("key", "list/b"));
    assertFails(ExitCode.USAGE, "limit is 0", "kv", "list", "--limit", "0");
  }

  @Test
  void aValueCanBeAnyBytesOfAFileOrTheInput() throws Exception {
    byte[] bytes = {0, (byte) 0xff, 10, 13};
    Path file = Files.write(folder.resolve("value"), bytes);
    line("kv", "put", "file", "--file", file.toString());
    assertThat(run("kv", "get", "file", "--json").json()).containsEntry("valueBase64", "AP8KDQ==");
    Shell.Result fromInput =
        new Shell()
            .with(Connection.VARIABLE, member.clientAddress())
            .input("from the input".getBytes(StandardCharsets.UTF_8))
            .run("kv", "put", "input", "--file", "-");
    assertThat(fromInput.code()).isZero();
    assertThat(line("kv", "get", "input")).isEqualTo("from the input");
    assertFails(ExitCode.USAGE, "the value is missing", "kv", "put", "k");
    assertFails(ExitCode.USAGE, "not both", "kv", "put", "k", "v", "--file", "f");
    assertFails(ExitCode.USAGE, "there is no file f", "kv", "put", "k", "--file", "f");
    assertFails(ExitCode.USAGE, "key has 0 bytes", "kv", "put", "", "v");
  }

  // ---- counters and leases --------------------------------------------------------------------

  @Test
  void aCounterCounts() {
    assertThat(line("counter", "add", "hits", "5")).isEqualTo("5");
    assertThat(line("counter", "add", "hits")).isEqualTo("6");
    assertThat(line("counter", "add", "hits", "--", "-2")).isEqualTo("4");
    assertThat(line("counter", "get", "hits")).isEqualTo("4");
    assertThat(line("counter", "get", "nobody")).isEqualTo("0");
  }

  @Test
  void aLeaseIsHeldByOneAtATime() {
    Map<String, Object> lease =
        run("lease", "acquire", "job", "me", "--ttl", "5m", "--json").json();
    String token = String.valueOf(lease.get("token"));
    assertFails(ExitCode.NO, "held by me", "lease", "acquire", "job", "you");
    assertThat(line("lease", "show", "job")).startsWith("job is held by me with token " + token);
    assertThat(line("lease", "renew", "job", "me", token, "--ttl", "10m")).contains("held by me");
    assertThat(line("lease", "release", "job", "me", token)).isEqualTo("released job");
    Shell.Result free = run("lease", "show", "job");
    assertThat(free.code()).isEqualTo(1);
    assertThat(free.out().strip()).isEqualTo("nobody holds job");
    assertFails(ExitCode.NO, "not held", "lease", "release", "job", "me", token);
  }

  // ---- outcomes -------------------------------------------------------------------------------

  @Test
  void theOutcomeOfARequestCanBeAsked() {
    line("counter", "add", "asked", "7", "--request-id", "asked-1");
    assertThat(line("outcome", "asked-1")).startsWith("executed at position ");
    assertThat(run("outcome", "asked-1", "--json").json())
        .containsEntry("outcome", "executed")
        .containsEntry("requestId", "s:asked-1");
    Shell.Result unknown = run("outcome", "never-1");
    assertThat(unknown.code()).isEqualTo(ExitCode.UNKNOWN.number());
    assertThat(unknown.out()).startsWith("never seen");
    assertFails(ExitCode.USAGE, "a dated id has the form", "outcome", "d:yesterday");
  }

  @Test
  void anAbandonedRequestNeverHappens() {
    assertThat(line("abandon", "gone-1")).startsWith("closed until its retention ends");
    assertThat(run("outcome", "gone-1").code()).isEqualTo(1);
    assertFails(ExitCode.REFUSED, "ABANDONED", "counter", "add", "gone", "--request-id", "gone-1");
    line("counter", "add", "late", "--request-id", "late-1");
    Shell.Result late = run("abandon", "late-1");
    assertThat(late.code()).isEqualTo(1);
    assertThat(late.out()).startsWith("too late: executed at position");
  }

  @Test
  void verboseTellsTheRequestId() {
    assertThat(run("counter", "add", "v", "--verbose").err()).contains("onceward: request id d:20");
    Logs.silence();
  }

  // ---- administration -------------------------------------------------------------------------

  @Test
  void theStatusShowsTheLeader() {
    assertThat(run("status").lines())
        .hasSize(2)
        .last()
        .asString()
        .startsWith("a *")
        .contains(member.clientAddress(), "leader");
    Map<String, Object> status = run("status", "--digest", "--json").json();
    assertThat(status).containsEntry("leader", "a");
    assertThat(JsonText.objects(status, "nodes"))
        .singleElement()
        .satisfies(node -> assertThat((String) node.get("digest")).matches("[0-9a-f]{32,}"));
  }

  @Test
  void aServiceIsEnabledOnlyIfEveryNodeHostsIt() {
    assertThat(JsonText.objects(run("status", "--json").json(), "nodes"))
        .singleElement()
        .satisfies(
            node ->
                assertThat(node.get("services"))
                    .isEqualTo(List.of("claims", "counter", "kv", "lease")));
    assertThat(line("enable", "kv")).isEqualTo("kv is enabled");
    assertThat(line("enable", "kv", "--force")).isEqualTo("kv is enabled");
    assertFails(ExitCode.REFUSED, "a does not host it", "enable", "ledger");
  }

  @Test
  void sessionsAreListedShownAndClosed() {
    try (Onceward client = Onceward.connect(member.clientAddress());
        Session session = client.open(SessionOptions.auto("worker-3")).join()) {
      session.submit("counter", Bytes.EMPTY).join();
      assertThat(run("session", "ls").out()).contains("auto:worker-3");
      Map<String, Object> shown = run("session", "show", "auto:worker-3", "--json").json();
      assertThat(shown).containsEntry("kind", "auto").containsEntry("nextSequence", 2L);
      String number = (String) shown.get("session");
      assertThat(line("session", "show", number)).contains("session      " + number);
      assertThat(line("session", "close", number)).isEqualTo("closed session " + number);
      assertFails(ExitCode.NO, "there is no session", "session", "show", number);
      session.leave();
    }
    assertFails(ExitCode.USAGE, "--limit is from 1", "session", "ls", "--limit", "0");
    assertFails(ExitCode.USAGE, "--after is the number", "session", "ls", "--after", "x");
  }

  @Test
  void forgettingCountsFirst() {
    line("counter", "add", "young", "--request-id", "young-1");
    assertThat(run("forget", "--older-than", "30d", "--dry-run", "--json").json())
        .containsEntry("records", 0L)
        .containsEntry("dryRun", true);
    assertThat(line("forget", "--older-than", "30d"))
        .startsWith("forgot 0 records that are older than 30d; the age of the cluster is ");
    assertFails(ExitCode.USAGE, "at least 10m", "forget", "--older-than", "1s");
    assertThat(run("forget").code()).isEqualTo(2);
  }

  @Test
  void forgettingIsByAgeUnlessADateIsGiven() {
    line("counter", "add", "by-age", "--request-id", "by-age-1");
    long age =
        number(JsonText.objects(run("status", "--json").json(), "nodes").get(0), "ageMillis");
    Map<String, Object> forgotten = run("forget", "--older-than", "10m", "--json").json();
    assertThat(number(forgotten, "beforeAgeMillis")).isBetween(age - 600_000, age);
    try (Onceward client = Onceward.connect(member.clientAddress())) {
      assertThat(client.admin().countByAge(Duration.ofDays(1)).join()).isPositive();
      assertThat(client.admin().countByAge(Duration.ZERO).join()).isZero();
    }
    assertThat(run("forget", "--before", "2020-01-02", "--json").json())
        .containsEntry("records", 0L)
        .containsEntry("before", "2020-01-02T00:00:00Z");
    assertThat(line("forget", "--before", "2020-01-02T03:04:05Z"))
        .isEqualTo("forgot 0 records that arrived before 2020-01-02T03:04:05Z by log time");
    Map<String, Object> counted =
        run("forget", "--before", "9999-01-01", "--dry-run", "--json").json();
    assertThat(number(counted, "records")).as("counting has no margin").isPositive();
    assertThat(run("forget", "--before", "9999-01-01"))
        .satisfies(
            refused -> {
              assertThat(refused.code()).isEqualTo(ExitCode.REFUSED.number());
              assertThat(refused.err())
                  .matches("onceward: .* ten minutes .* now is 2\\d{3}-\\d\\d-\\d\\dT.*Z\n");
            });
    for (String text : List.of("yesterday", "2026-02-30", "+999999999-01-01T00:00:00Z")) {
      Shell.Result wrong = run("forget", "--before", text);
      assertThat(wrong.err()).contains("--before: a date is a day");
      assertThat(wrong.code()).isEqualTo(ExitCode.USAGE.number());
    }
    assertThat(run("forget", "--before", "2020-01-02", "--older-than", "1d").code()).isEqualTo(2);
  }

  @Test
  void scopesAndParametersAreSet() {
    assertThat(line("set", "retention", "48h")).isEqualTo("retention is 2d");
    assertFails(ExitCode.USAGE, "retention is from 10m", "set", "retention", "1s");
    assertFails(ExitCode.USAGE, "there is no parameter", "set", "colour", "blue");
    assertThat(line("scope", "dated", "--retention", "7d", "--dated-only")).contains("for 7d");
    assertFails(
        ExitCode.REFUSED,
        "UNDATED",
        "counter",
        "add",
        "x",
        "--scope",
        "dated",
        "--request-id",
        "text");
    assertFails(
        ExitCode.USAGE,
        "retention is from 10m",
        "scope",
        "s",
        "--retention",
        "1s",
        "--no-dated-only");
    assertThat(line("scope", "any", "--retention", "7d", "--no-dated-only")).endsWith("for 7d");
  }

  @Test
  void retentionAloneDoesNotSwitchDatedOnlyOff() {
    line("scope", "strict", "--retention", "7d", "--dated-only");
    Shell.Result silent = run("scope", "strict", "--retention", "8d");
    assertThat(silent.code()).isEqualTo(ExitCode.USAGE.number());
    assertThat(silent.err()).contains("dated-only");
    assertFails(
        ExitCode.REFUSED,
        "UNDATED",
        "counter",
        "add",
        "x",
        "--scope",
        "strict",
        "--request-id",
        "text");
  }

  @Test
  void removedScopeSettingLeavesTheStandard() {
    line("scope", "passing", "--retention", "7d", "--dated-only");
    String[] undated = {"counter", "add", "p", "--scope", "passing", "--request-id", "text"};
    assertFails(ExitCode.REFUSED, "UNDATED", undated);
    for (String[] mixed :
        List.of(
            new String[] {"scope", "passing", "--remove", "--retention", "7d"},
            new String[] {"scope", "passing", "--remove", "--no-dated-only"},
            new String[] {"scope", "passing"})) {
      assertThat(run(mixed).code()).isEqualTo(ExitCode.USAGE.number());
    }
    assertFails(ExitCode.REFUSED, "UNDATED", undated);
    assertThat(line("scope", "passing", "--remove"))
        .isEqualTo(
            "scope \"passing\" has no setting of its own now; its new keys are remembered as"
                + " 'onceward set retention' says, dated or not");
    assertThat(line(undated)).isEqualTo("1");
    assertThat(run("scope", "never-set", "--remove", "--json").json())
        .containsEntry("scope", "never-set")
        .containsEntry("removed", true);
  }

  @Test
  void repeatedCloseOfASessionSucceeds() {
    try (Onceward client = Onceward.connect(member.clientAddress());
        Session session = client.open(SessionOptions.auto("worker-4")).join()) {
      String number =
          (String) run("session", "show", "auto:worker-4", "--json").json().get("session");
      assertThat(line("session", "close", number)).isEqualTo("closed session " + number);
      assertThat(line("session", "close", number)).contains("there is no session " + number);
      assertFails(ExitCode.NO, "there is no session", "session", "close", "auto:worker-4");
      session.leave();
    }
  }

  @Test
  void outputThatCannotBeWrittenIsExitCodeTwelve() {
    line("kv", "put", "lost", "value");
    for (List<String> words :
        List.of(
            List.of("kv", "get", "lost"),
            List.of("kv", "list"),
            List.of("status", "--json"),
            List.of("forget", "--older-than", "30d"),
            List.of("snapshot"),
            List.of("kv", "--help"),
            List.of("--help"),
            List.of("--version"),
            List.of("completion", "bash"))) {
      Shell.Result result = full().run(words.toArray(String[]::new));
      assertThat(result.code()).as(words.toString()).isEqualTo(ExitCode.OUTPUT.number());
      assertThat(result.err()).contains("output cannot be written: No space left").hasLineCount(1);
    }
    Shell.Result counted = full().run("counter", "add", "full", "--json");
    assertThat(counted.code()).isEqualTo(ExitCode.OUTPUT.number());
    Object id = JsonText.object(counted.err().strip()).get("requestId");
    assertThat(line("counter", "add", "full", "--request-id", (String) id)).isEqualTo("1 (replay)");
  }

  private static Shell full() {
    return new Shell().with(Connection.VARIABLE, member.clientAddress()).outputFull();
  }

  @Test
  void longFilesAreRefusedBeforeTheyAreRead() throws Exception {
    Path huge = folder.resolve("huge");
    try (RandomAccessFile file = new RandomAccessFile(huge.toFile(), "rw")) {
      file.setLength(1L << 40);
    }
    assertFails(
        ExitCode.USAGE, "has more than 8388608 bytes", "kv", "put", "k", "--file", huge.toString());
    assertFails(
        ExitCode.USAGE,
        "has more than 8388608 bytes",
        "kv",
        "cas",
        "k",
        "0",
        "--file",
        "/dev/zero");
    Files.delete(huge);
  }

  @Test
  void aSnapshotIsTaken() {
    assertThat(line("snapshot")).startsWith("a: snapshot at position ");
    assertFails(ExitCode.NO, "there is no node z; there are a", "snapshot", "z");
  }

  @Test
  void whatTheClusterRefusesIsExplained() {
    assertFails(ExitCode.REFUSED, "no other member", "transfer-leader");
    assertThat(line("member", "remove", "zz")).isEqualTo("zz is not a member any more");
    assertFails(ExitCode.REFUSED, "there is no member zz", "transfer-leader", "zz");
    assertThat(run("member", "add", "zz").code()).isEqualTo(2);
    // The port for clients, given for that of the peers.
    String mixedUp = "zz=127.0.0.1:" + member.peerPort() + "/" + member.clientPort();
    assertFails(
        ExitCode.REFUSED,
        "what answers at 127.0.0.1:" + member.clientPort() + " is no node of this version",
        "member",
        "add",
        mixedUp);
  }

  // ---- nobody there ---------------------------------------------------------------------------

  @Test
  void anUnreachableClusterIsExitCodeFour() throws Exception {
    String nobody =
        FreePorts.members(1, i -> String.valueOf((char) ('a' + i))).get(0).clientAddress();
    String[] at = {"--at", nobody, "--deadline", "300ms"};
    assertFails(ExitCode.UNREACHABLE, "no leader answers at " + nobody, with(at, "kv", "get", "x"));
    assertFails(ExitCode.UNREACHABLE, "no leader answers", with(at, "counter", "add", "x"));
    assertFails(ExitCode.UNREACHABLE, "no leader answers", with(at, "session", "ls"));
    assertFails(ExitCode.UNREACHABLE, "no node answers", with(at, "status"));
    assertFails(ExitCode.USAGE, "--at: ", "kv", "get", "x", "--at", "nowhere");
    Shell.Result wrong = new Shell().with(Connection.VARIABLE, "nowhere").run("kv", "get", "x");
    assertThat(wrong.err()).contains(Connection.VARIABLE + ": an address is HOST:PORT");
  }

  private static String[] with(String[] options, String... words) {
    String[] all = new String[options.length + words.length];
    System.arraycopy(words, 0, all, 0, words.length);
    System.arraycopy(options, 0, all, words.length, options.length);
    return all;
  }
}
