package io.onceward.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Executed;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever has a ruling can tell it by the same exceptions as Once. */
class GuardExceptionTest {
  private static final GuardedId ID = GuardedId.of(Key.text("order 4711"));

  static Stream<Arguments> rulings() {
    RuntimeException cause = new IllegalStateException("why");
    return Stream.of(
        Arguments.of(new Ruling.Replied(Reply.ok("x"), true), ReplyNotKeptException.class, false),
        Arguments.of(
            new Ruling.Replied(Reply.REPLY_TOO_LARGE, false), ReplyNotKeptException.class, false),
        Arguments.of(
            new Ruling.Replied(Reply.businessError(Bytes.utf8("no")), true),
            BusinessErrorException.class,
            false),
        Arguments.of(
            new Ruling.Refused(Refusal.MISMATCH, ""), RefusedByGuardException.class, false),
        Arguments.of(
            new Ruling.Refused(Refusal.OVERLOADED, "7"), RefusedByGuardException.class, true),
        Arguments.of(new Ruling.InProgress(Duration.ofSeconds(3)), InProgressException.class, true),
        Arguments.of(new Ruling.Unknown("gone", cause), UnknownOutcomeException.class, true),
        Arguments.of(new Ruling.DidNotHappen(cause), DidNotHappenException.class, true),
        Arguments.of(new Ruling.NoStore(cause), StoreAwayException.class, true));
  }

  @ParameterizedTest
  @MethodSource("rulings")
  void eachRulingHasItsException(Ruling ruling, Class<?> type, boolean mayResend) {
    GuardException told = GuardException.of(ID, ruling);

    assertThat(told).isExactlyInstanceOf(type).hasMessageContaining("order 4711");
    assertThat(told.ruling()).isEqualTo(ruling);
    assertThat(told.executed()).isEqualTo(ruling.executed());
    assertThat(told.mayResend()).isEqualTo(mayResend);
    assertThat(told.id()).isEqualTo(ID);
  }

  @Test
  void aReplyThatCannotBeGivenSaysWhy() {
    RuntimeException cause = new IllegalStateException("why");
    GuardException told = GuardException.of(ID, new Ruling.Replied(Reply.ok("x"), true), cause);

    assertThat(told).hasCause(cause);
    assertThat(told.executed()).isEqualTo(Executed.YES);
  }
}
