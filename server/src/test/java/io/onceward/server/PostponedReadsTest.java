package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.wire.Question;
import java.util.List;
import org.junit.jupiter.api.Test;

class PostponedReadsTest {
  private final PostponedReads reads = new PostponedReads();

  @Test
  void theyComeInTheOrderAsked() {
    reads.add(7, new Question.CountOlderThan(1));
    reads.add(3, new Question.Query(Bytes.utf8("what")));
    assertThat(reads.isEmpty()).isFalse();
    assertThat(reads.poll()).isEqualTo(new PostponedReads.Read(7, new Question.CountOlderThan(1)));
    assertThat(reads.poll())
        .isEqualTo(new PostponedReads.Read(3, new Question.Query(Bytes.utf8("what"))));
    assertThat(reads.poll()).isNull();
    assertThat(reads.isEmpty()).isTrue();
  }

  @Test
  void whateverAQuestionNamesIsCounted() {
    String name = "n".repeat(100);
    List<Question> named =
        List.of(
            new Question.Query(Bytes.of(new byte[100])),
            new Question.SessionNamed(ClientKind.DURABLE, name),
            new Question.OutcomeOfKey(new Scope(name), Key.text("k")));
    long plain = PostponedReads.bytesOf(new Question.CountOlderThan(1));
    assertThat(named).allMatch(question -> PostponedReads.bytesOf(question) >= plain + 100);
  }

  @Test
  void whatIsTakenOutDoesNotCountAnyMore() {
    reads.add(1, new Question.Query(Bytes.of(new byte[1_000])));
    reads.add(2, new Question.CountOlderThan(1));
    assertThat(reads.bytes()).isGreaterThan(1_000);
    reads.poll();
    assertThat(reads.bytes()).isEqualTo(PostponedReads.bytesOf(new Question.CountOlderThan(1)));
    reads.poll();
    assertThat(reads.bytes()).isZero();
    reads.add(3, new Question.CountOlderThan(1));
    reads.clear();
    assertThat(reads.bytes()).isZero();
    assertThat(reads.isEmpty()).isTrue();
  }

  @Test
  void aQueryDoesNotHoldOnToTheMessageThatItCameWith() {
    byte[] message = new byte[10];
    reads.add(1, new Question.Query(Bytes.of(message)));
    message[3] = 1;
    assertThat(reads.poll().question()).isEqualTo(new Question.Query(Bytes.of(new byte[10])));
  }
}
