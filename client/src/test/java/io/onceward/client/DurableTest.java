package io.onceward.client;

import static io.onceward.client.Await.failure;
import static io.onceward.client.Await.join;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.Refusal;
import io.onceward.RequestId;
import io.onceward.replica.Request;
import io.onceward.services.CounterCommand;
import io.onceward.services.CounterReply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Durable names with a journal file, end to end (C5). */
class DurableTest {
  @TempDir Path folder;
  private final FakeLog log = new FakeLog();
  private final FakeNode node = new FakeNode(log);
  private Onceward onceward = connect();

  private Onceward connect() {
    return Onceward.builder()
        .address(node.address())
        .retryDelay(Duration.ofMillis(20))
        .answerTimeout(Duration.ofMillis(300))
        .build();
  }

  @AfterEach
  void close() {
    onceward.close();
    node.close();
  }

  private DurableSession open() {
    return join(onceward.openDurable("billing", journal()));
  }

  private Path journal() {
    return folder.resolve("deep").resolve("billing.journal");
  }

  /** This process ends, another one begins. */
  private void restart() {
    onceward.close();
    onceward = connect();
  }

  private static Bytes add(long amount) {
    return CounterCommand.encode(new CounterCommand.Add("x", amount));
  }

  private static long value(Decided decided) {
    return CounterReply.decode(decided.bytes()).value();
  }

  private void loseCommands(boolean lost) {
    node.losesQuestion =
        (any, question) -> lost && FakeNode.requestOf(question) instanceof Request.InSession;
  }

  @Test
  void undecidedRequestsAreRecoveredUnderTheSameId_C5() {
    DurableSession before = open();
    assertThat(before.recovered()).isEmpty();
    assertThat(value(join(before.submit("one", "counter", add(1))))).isEqualTo(1);
    node.losesAnswer = (any, question) -> true;
    CompletableFuture<Decided> lost = before.submit("two", "counter", add(1));
    Await.until("it executed", () -> executed(2));
    restart();
    assertThat(failure(lost, OutcomeUnknownException.class).requestId()).isPresent();
    node.losesAnswer = (any, question) -> false;

    DurableSession after = open();
    List<Recovered> recovered = after.recovered();
    assertThat(recovered).extracting(Recovered::tag).containsExactly("one", "two");
    assertThat(recovered)
        .extracting(Recovered::state)
        .containsExactly(Recovered.State.DECIDED, Recovered.State.UNDECIDED);
    assertThat(value(join(recovered.get(0).decision()))).isEqualTo(1);
    assertThat(value(join(recovered.get(1).decision()))).isEqualTo(2);
    after.taken("one");
    after.taken("two");
    assertThat(value(join(after.submit("three", "counter", add(1))))).isEqualTo(3);
    after.taken("three");
    restart();
    assertThat(open().recovered()).isEmpty();
  }

  private boolean executed(long value) {
    boolean[] reached = new boolean[1];
    log.look(
        replica -> {
          Bytes get = CounterCommand.encode(new CounterCommand.Get("x"));
          Bytes addressed = io.onceward.services.ServiceDirectory.address("counter", get);
          reached[0] = CounterReply.decode(replica.query("", addressed).bytes()).value() >= value;
        });
    return reached[0];
  }

  @Test
  void submittingATagAgainMakesNoSecondRequest() {
    DurableSession session = open();
    loseCommands(true);
    CompletableFuture<Decided> first = session.submit("a", "counter", add(1));
    assertThat(
            failure(
                session.submit("b", "counter", add(1), Duration.ofMillis(30)),
                OutcomeUnknownException.class))
        .isNotNull();
    CompletableFuture<Decided> second = session.submit("a", "counter", add(1));
    CompletableFuture<Decided> again = session.submit("b", "counter", add(1));
    loseCommands(false);
    assertThat(value(join(first))).isEqualTo(1);
    assertThat(value(join(second))).isEqualTo(1);
    assertThat(value(join(again))).isEqualTo(2);
    assertThat(value(join(session.submit("a", "counter", add(1))))).isEqualTo(1);
    assertThatThrownBy(() -> session.submit("a", "counter", add(2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("another request");
    assertThatThrownBy(() -> session.submit("", "counter", add(2)))
        .isInstanceOf(IllegalArgumentException.class);
    session.taken("a");
    assertThatThrownBy(() -> session.taken("a")).isInstanceOf(IllegalArgumentException.class);
    assertThat(value(join(session.submit("a", "counter", add(1))))).isEqualTo(3);
    assertThat(session.info().name()).isEqualTo("billing");
  }

  @Test
  void manyPipelinedRequestsShareSyncsAndHappenOnce() {
    DurableSession session = open();
    List<CompletableFuture<Decided>> all = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      String tag = "t" + i;
      all.add(
          session
              .submit(tag, "counter", add(1))
              .thenApply(
                  decided -> {
                    session.taken(tag);
                    return decided;
                  }));
    }
    for (int i = 0; i < all.size(); i++) {
      assertThat(value(join(all.get(i)))).isEqualTo(i + 1);
    }
    restart();
    assertThat(open().recovered()).isEmpty();
  }

  @Test
  void aSessionThatIsGoneIsReportedAndNothingIsResent_S2_execution1() {
    DurableSession before = open();
    loseCommands(true);
    CompletableFuture<Decided> seven = before.submit("seven", "counter", add(1));
    restart();
    assertThat(failure(seven, OutcomeUnknownException.class)).isNotNull();
    log.pass(8L * 24 * 3_600_000);
    loseCommands(false);
    SessionLostException lost =
        failure(onceward.openDurable("billing", journal()), SessionLostException.class);
    assertThat(lost.refusal()).isEqualTo(Refusal.NO_SESSION);
    assertThat(lost.unknownTags()).containsExactly("seven");
    assertThat(lost.unknown()).hasSize(1);

    DurableSession again = open();
    assertThat(again.recovered()).hasSize(1);
    Recovered unknown = again.recovered().get(0);
    assertThat(unknown.state()).isEqualTo(Recovered.State.UNKNOWN);
    assertThat(unknown.id()).isEqualTo(lost.unknown().get(0));
    assertThat(failure(unknown.decision(), OutcomeUnknownException.class)).isNotNull();
    assertThat(failure(again.submit("seven", "counter", add(1)), OutcomeUnknownException.class))
        .isNotNull();
    again.taken("seven");
    assertThat(value(join(again.submit("seven", "counter", add(1))))).isEqualTo(1);
  }

  /** Both requests have the same number, each in its own session. */
  @Test
  void tagOfALostSessionNeverGetsAnotherRequestsReply_S4() {
    DurableSession before = open();
    loseCommands(true);
    CompletableFuture<Decided> old = before.submit("old", "counter", add(1));
    restart();
    RequestId oldId = failure(old, OutcomeUnknownException.class).requestId().orElseThrow();
    log.pass(8L * 24 * 3_600_000);
    failure(onceward.openDurable("billing", journal()), SessionLostException.class);
    DurableSession now = open();
    CompletableFuture<Decided> young = now.submit("young", "counter", add(5));
    CompletableFuture<Decided> again = now.submit("old", "counter", add(1));
    loseCommands(false);
    assertThat(value(join(young))).isEqualTo(5);
    assertThat(failure(again, OutcomeUnknownException.class).requestId()).contains(oldId);
  }

  @Test
  void tagOfAnEndedSessionKeepsItsMeaning_E7() {
    DurableSession before = open();
    join(before.submit("a", "counter", add(1)));
    join(before.end());
    before.close();
    for (int i = 0; i < 2; i++) {
      DurableSession now = open();
      assertThat(value(join(now.submit("a", "counter", add(1))))).isEqualTo(1);
      assertThatThrownBy(() -> now.submit("a", "counter", add(2)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("another request");
      restart();
    }
  }

  @Test
  void whoWasOvertakenLearnsItAndMayStillTakeWhatItHas_S4_execution2() throws IOException {
    DurableSession one = open();
    assertThat(value(join(one.submit("a", "counter", add(1))))).isEqualTo(1);
    DurableSession two = join(onceward.openDurable("billing", folder.resolve("other.journal")));
    SessionLostException lost =
        failure(one.submit("b", "counter", add(1)), SessionLostException.class);
    assertThat(lost.refusal()).isEqualTo(Refusal.SUPERSEDED);
    assertThat(lost.unknownTags()).containsExactly("b");
    one.taken("a");
    one.close();
    assertThat(value(join(two.submit("b", "counter", add(1))))).isEqualTo(2);
  }

  @Test
  void aJournalIsUsedByOneAtATime() {
    open();
    JournalException locked =
        failure(onceward.openDurable("billing", journal()), JournalException.class);
    assertThat(locked).hasMessageContaining("locked");
    JournalException foreign =
        failure(onceward.openDurable("shipping", copyOfTheJournal()), JournalException.class);
    assertThat(foreign).hasMessageContaining("belongs to \"billing\"");
  }

  private Path copyOfTheJournal() {
    try {
      return Files.copy(journal(), folder.resolve("copy.journal"));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void aFailedOpeningLetsTheJournalGo() throws IOException {
    node.kill();
    onceward.close();
    onceward = Onceward.builder().address(node.address()).patience(Duration.ofMillis(200)).build();
    assertThat(failure(onceward.openDurable("billing", journal()), UnreachableException.class))
        .isNotNull();
    node.restart();
    open();
  }

  @Test
  void endingGivesTheNameUp_S9() {
    DurableSession session = open();
    join(session.submit("a", "counter", add(1)));
    join(session.end());
    assertThat(log.sessions()).isZero();
    session.close();
    DurableSession next = open();
    assertThat(next.recovered()).extracting(Recovered::tag).containsExactly("a");
    assertThat(next.info().nextSequence()).isEqualTo(1);
  }

  @Test
  void aJournalThatFailsEndsTheSession() throws IOException {
    DurableSession session = open();
    // The folder goes away under it: the rewrite that a long journal needs cannot be done.
    Path gone = journal().getParent();
    Bytes large = Bytes.of(new byte[300 << 10]);
    join(session.submit("a", "kv", large));
    try (var files = Files.list(gone)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(gone);
    List<CompletableFuture<Decided>> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      all.add(session.submit("b" + i, "kv", large));
    }
    OutcomeUnknownException failed =
        failure(
            CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0])),
            OutcomeUnknownException.class);
    assertThat(failed).hasMessageContaining("journal");
    assertThat(failure(session.submit("c", "counter", add(1)), JournalException.class)).isNotNull();
  }

  @Test
  void tagThatHasNoUtf8IsRefusedBeforeAnythingIsWritten_C5() {
    DurableSession session = open();
    for (String tag : List.of("order \ud800", "\udc00", "", "t".repeat(1025))) {
      assertThatThrownBy(() -> session.submit(tag, "counter", add(1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a tag");
    }
    assertThat(value(join(session.submit("order \ud83d\ude00", "counter", add(1))))).isEqualTo(1);
    restart();
    DurableSession after = open();
    assertThat(after.recovered()).extracting(Recovered::tag).containsExactly("order \ud83d\ude00");
    assertThat(value(join(after.submit("order \ud83d\ude00", "counter", add(1))))).isEqualTo(1);
  }

  @Test
  void impossibleNameIsRefusedBeforeAnythingIsWritten_L1() {
    for (String name : List.of("n".repeat(129), "lone \ud800", "")) {
      assertThatThrownBy(() -> onceward.openDurable(name, journal()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the name of a client");
      assertThatThrownBy(() -> SessionOptions.auto(name))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(folder).isEmptyDirectory();
    assertThatThrownBy(() -> KeyValue.of(onceward.keyed()).put("\ud800", "v"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
