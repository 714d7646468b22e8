package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Command;
import io.onceward.Decision.Replied;
import io.onceward.Frozen;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.Service;
import io.onceward.replica.Request;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node and a visitor with a great deal to ask at once, which is not to keep the others. */
class FairTurnsTest {
  private static final int LONG_ANSWER = 100 << 10;

  @TempDir Path folder;
  private final LongAnswers service = new LongAnswers();
  private OncewardServer server;
  private RawClient client;

  @BeforeEach
  void start() throws IOException {
    server =
        OncewardServer.start(
            ServerSettings.alone(folder, FreePorts.one(), FreePorts.one()), service);
    RawClient.await(server.ready());
    client = new RawClient(server.clientPort());
    // By then the door is open.
    RawClient.await(CompletableFuture.supplyAsync(this::firstDecision));
  }

  private Answer firstDecision() {
    Answer answer = client.log(keyed("first"));
    while (answer instanceof Answer.NotLeader) {
      answer = client.log(keyed("first"));
    }
    return answer;
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
  }

  private static Request keyed(String key) {
    return new Request.Keyed(Scope.NONE, Key.text(key), null, List.of(), Bytes.EMPTY);
  }

  @Test
  void aLongMessageComesToTheDoorInParts() {
    List<Question> questions = new ArrayList<>();
    for (int i = 0; i < 2 * Conversation.QUESTIONS_AT_A_TIME; i++) {
      questions.add(RawClient.logged(keyed("k" + i)));
    }
    Map<Long, Integer> sharing = new TreeMap<>();
    for (CompletableFuture<Answer> answer : client.ask(questions)) {
      Answer.Decided decided = (Answer.Decided) RawClient.await(answer);
      sharing.merge(((Replied) decided.decision()).position(), 1, Integer::sum);
    }
    // What comes to the door together leaves it together, in one entry, if the log is idle.
    assertThat(sharing.values())
        .containsExactly(Conversation.QUESTIONS_AT_A_TIME, Conversation.QUESTIONS_AT_A_TIME);
  }

  @Test
  void aCrowdOfReadsDoesNotKeepTheThreadsThatOthersNeed() {
    List<Question> crowd = Collections.nCopies(200, new Question.Query(Bytes.EMPTY));
    for (CompletableFuture<Answer> answer : client.ask(crowd)) {
      assertThat(RawClient.await(answer)).isInstanceOf(Answer.QueryTold.class);
    }
    assertThat(service.readers).hasSize(200);
    assertThat(service.readers.subList(64, 200)).containsOnly("onceward-turns");
  }

  @Test
  void aFewLongAnswersDoNotEither() {
    List<Question> crowd = Collections.nCopies(6, new Question.Query(Bytes.utf8("long")));
    for (CompletableFuture<Answer> answer : client.ask(crowd)) {
      Answer.QueryTold told = (Answer.QueryTold) RawClient.await(answer);
      assertThat(told.reply().bytes().length()).isEqualTo(LONG_ANSWER);
    }
    assertThat(service.readers.subList(3, 6)).containsOnly("onceward-turns");
  }

  @Test
  void whoReadsLateGetsEverythingAndIsLookedUpNoFurtherThanALittleAhead() {
    try (RawClient late = new RawClient(server.clientPort(), false);
        RawClient alsoLate = new RawClient(server.clientPort(), false)) {
      List<Question> crowd = Collections.nCopies(200, new Question.Query(Bytes.utf8("long")));
      List<CompletableFuture<Answer>> answers = new ArrayList<>(late.ask(crowd));
      answers.addAll(alsoLate.ask(crowd));
      // Each: what is on its way to it, a message that does not fit any more, and one mebibyte.
      assertThat(lookedUpWithoutBeingRead()).isBetween(20, 120);
      assertThat(client.log(keyed("meanwhile"))).isInstanceOf(Answer.Decided.class);
      late.read();
      alsoLate.read();
      for (CompletableFuture<Answer> answer : answers) {
        Answer.QueryTold told = (Answer.QueryTold) RawClient.await(answer);
        assertThat(told.reply().bytes().length()).isEqualTo(LONG_ANSWER);
      }
      assertThat(service.longAnswers).hasValue(400);
    }
  }

  @Test
  void whoAsksForMoreThanItsRoomWithoutReadingIsToldSo() {
    try (RawClient late = new RawClient(server.clientPort(), false)) {
      Bytes padded = Bytes.of(new byte[1 << 20]);
      List<Question> crowd = new ArrayList<>();
      crowd.addAll(Collections.nCopies(60, new Question.Query(Bytes.utf8("long"))));
      crowd.addAll(Collections.nCopies(10, new Question.Query(padded)));
      List<CompletableFuture<Answer>> answers = late.ask(crowd);
      assertThat(lookedUpWithoutBeingRead()).isBetween(10, 60);
      late.read();
      List<Answer> all = answers.stream().map(RawClient::await).toList();
      assertThat(all.subList(0, 61)).allMatch(answer -> answer instanceof Answer.QueryTold);
      // Four mebibytes have room for three at most.
      assertThat(all.subList(63, 70)).allMatch(answer -> answer instanceof Answer.Unavailable);
    }
  }

  /**
   * Long answers that were looked up when it goes no further: turns are taken one after the other,
   * so while somebody else has several, whoever can read on has one.
   */
  private int lookedUpWithoutBeingRead() {
    int before;
    int now = 0;
    do {
      before = now;
      List<Question> others = Collections.nCopies(1_000, new Question.Query(Bytes.EMPTY));
      client.ask(others).forEach(RawClient::await);
      now = service.longAnswers.get();
    } while (now < 10 || now > before);
    return now;
  }

  /** Remembers who reads. */
  private static final class LongAnswers implements Service {
    final List<String> readers = Collections.synchronizedList(new ArrayList<>());
    final AtomicInteger longAnswers = new AtomicInteger();

    @Override
    public Reply execute(Command command) {
      return Reply.ok("done");
    }

    @Override
    public Reply query(Command question) {
      readers.add(Thread.currentThread().getName());
      if (question.payload().length() == 0) {
        return Reply.ok(Bytes.EMPTY);
      }
      longAnswers.incrementAndGet();
      return Reply.ok(Bytes.of(new byte[LONG_ANSWER]));
    }

    @Override
    public Frozen freeze() {
      return out -> out.write(0);
    }

    @Override
    public void restore(InputStream in) throws IOException {
      in.readAllBytes();
    }
  }
}
