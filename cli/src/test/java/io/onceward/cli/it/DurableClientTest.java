package io.onceward.cli.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Outcome;
import io.onceward.Refusal;
import io.onceward.RequestId;
import io.onceward.client.Decided;
import io.onceward.client.DurableSession;
import io.onceward.client.Onceward;
import io.onceward.client.SessionLostException;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Client processes with durable names: killed, restarted with their journals, and twice at once.
 */
@Tag("processes")
@Timeout(120)
class DurableClientTest {
  @TempDir private static Path folder;
  private static Cluster cluster;

  private String name;
  private Path journal;
  private Path books;

  @BeforeAll
  static void start() throws Exception {
    cluster = Cluster.start(folder);
  }

  @AfterAll
  static void end() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @BeforeEach
  void chooseName(TestInfo test) {
    name = test.getTestMethod().orElseThrow().getName();
    journal = folder.resolve(name + ".journal");
    books = folder.resolve(name + ".books");
  }

  private Child writer(int tags, String what) throws IOException {
    return Child.start(
        DurableWriter.class,
        String.join(",", cluster.addresses()),
        name,
        journal.toString(),
        books.toString(),
        String.valueOf(tags),
        what);
  }

  private List<String> booked() throws IOException {
    return Files.exists(books) ? Files.readAllLines(books) : List.of();
  }

  /** Every tag was decided once, its reply was handed over, and always the same. */
  private void assertBooksOf(int tags) throws IOException {
    Map<Long, Long> values = new LinkedHashMap<>();
    for (String line : booked()) {
      String[] words = line.split(" ", -1);
      Long before = values.put(Long.valueOf(words[0]), Long.valueOf(words[1]));
      assertThat(before).as("tag %s was told before", words[0]).isIn(null, Long.valueOf(words[1]));
    }
    List<Long> all = LongStream.rangeClosed(1, tags).boxed().toList();
    assertThat(values.keySet()).containsExactlyInAnyOrderElementsOf(all);
    assertThat(values.values()).containsExactlyInAnyOrderElementsOf(all);
    assertThat(cluster.counter(name)).isEqualTo(tags);
  }

  @Test
  void aClientThatIsKilledAndComesBackDoesEverythingOnce() throws Exception {
    int tags = 2_000;
    for (int booked : new int[] {100, 500, 1_000}) {
      try (Child killed = writer(tags, "work")) {
        Patience.until(booked + " tags in the books", () -> booked().size() >= booked);
        killed.kill();
        assertThat(killed.lines("done")).isEmpty();
      }
      if (booked == 500) {
        // Its last copies are still under way when their leader dies, too.
        cluster.killLeader();
        cluster.startAll();
      }
    }
    try (Child last = writer(tags, "work")) {
      last.await("done");
      assertThat(last.lines("recovered")).isNotEmpty();
      assertThat(last.lines("failed")).isEmpty();
      assertThat(last.awaitEnd()).isZero();
    }
    assertBooksOf(tags);
    cluster.agree();
  }

  @Test
  void repliesThatTheApplicationNeverSawAreHandedOverAfterTheRestart() throws Exception {
    int tags = 20;
    try (Child neglecting = writer(tags, "neglect")) {
      RequestId last = RequestId.parse(neglecting.await("neglected ").split(" ", -1)[1]);
      // The cluster has dropped the replies: only the journal has them.
      RequestId.OfSequence id = (RequestId.OfSequence) last;
      assertThat(outcome(new RequestId.OfSequence(id.address(), 1)))
          .isEqualTo(new Outcome.Acknowledged());
      neglecting.kill();
    }
    assertThat(booked()).isEmpty();
    try (Child working = writer(tags + 1, "work")) {
      working.await("done");
      assertThat(working.lines("recovered"))
          .hasSize(tags + 1)
          .filteredOn(line -> line.endsWith("DECIDED"))
          .hasSizeGreaterThanOrEqualTo(tags);
    }
    assertBooksOf(tags + 1);
  }

  private static Outcome outcome(RequestId.OfSequence id) {
    return Patience.find(
        "the outcome of " + id,
        () -> {
          Answer answer =
              cluster.ask(
                  cluster.leader(), new Question.OutcomeOfSequence(id.address(), id.sequence()));
          return answer instanceof Answer.OutcomeTold told ? told.outcome() : null;
        });
  }

  @Test
  void ofTwoLiveProcessesWithOneNameTheFirstIsSupersededForGood() throws Exception {
    try (Child first = writer(0, "hold")) {
      first.tell("one");
      first.await("told one 1");
      try (Onceward client = Onceward.connect(cluster.addresses())) {
        Path other = folder.resolve(name + ".other");
        DurableSession second = Patience.get("the second opening", client.openDurable(name, other));
        assertThat(add(second, "two")).isEqualTo(2);
        first.tell("three");
        first.await("lost three SessionLostException");
        assertThat(first.await("reason ")).isEqualTo("reason SUPERSEDED [three]");
        // It does not come back by itself and push the other one out.
        first.tell("four");
        Patience.until(
            "an answer to 'four'",
            () -> !first.lines("lost four").isEmpty() || !first.lines("refused four").isEmpty());
        assertThat(add(second, "five")).isEqualTo(3);
        second.close();
      }
    }
    assertThat(cluster.counter(name)).isEqualTo(3);
  }

  /** Execution 2: what it journaled and never delivered must not meet the other's sequences. */
  @Test
  void whoComesBackAfterAnotherTookItsNameIsTurnedAway() throws Exception {
    try (Onceward client = Onceward.connect(cluster.addresses())) {
      try (Child first = writer(0, "hold")) {
        first.tell("one");
        first.await("told one 1");
        cluster.ids().forEach(cluster::pause);
        first.tell("never delivered");
        Patience.until(
            "the tag in the journal",
            () -> Files.readString(journal, StandardCharsets.ISO_8859_1).contains("never del"));
      } finally {
        cluster.heal();
      }
      Path other = folder.resolve(name + ".other");
      DurableSession second = Patience.get("the second opening", client.openDurable(name, other));
      // What a paused node has in its socket may be delivered after all, before the name is taken.
      long two = add(second, "two");
      assertThat(two).isIn(2L, 3L);
      assertThatThrownBy(() -> Patience.get("the third opening", client.openDurable(name, journal)))
          .isInstanceOfSatisfying(
              SessionLostException.class,
              lost -> {
                assertThat(lost.refusal()).isEqualTo(Refusal.SUPERSEDED);
                assertThat(lost.unknownTags()).containsExactly("never delivered");
              });
      assertThat(add(second, "three")).isEqualTo(two + 1);
      assertThat(cluster.counter(name)).isEqualTo(two + 1);
      second.close();
    }
  }

  private long add(DurableSession session, String tag) throws Exception {
    Decided decided =
        Patience.get(
            "the decision about " + tag, session.submit(tag, Commands.COUNTER, Commands.add(name)));
    session.taken(tag);
    return Commands.value(decided.reply());
  }
}
