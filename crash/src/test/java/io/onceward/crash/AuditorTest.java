package io.onceward.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Key;
import io.onceward.crash.bank.Movement;
import io.onceward.crash.bank.Transfer;
import java.util.List;
import org.junit.jupiter.api.Test;

class AuditorTest {
  private final Tally tally = new Tally(Home.TRANSACTION);

  private static Round round(String... answers) {
    Key key = Key.text("one");
    Transfer transfer = new Transfer(key.toString(), "a", "b", 5);
    Round round = new Round(0, key, transfer, Step.COMMIT_SENT);
    for (String answer : answers) {
      round.answered(answer);
    }
    return round;
  }

  private static Movement movement(long number) {
    return new Movement(number, new Transfer("s:one", "a", "b", 5), 10);
  }

  private Tally.Row audited(Round round, Movement... book) {
    new Auditor(tally).audit(List.of(round), List.of(book));
    return tally.row(Step.COMMIT_SENT);
  }

  @Test
  void oneMovementThatWasAnsweredIsClean() {
    Tally.Row row = audited(round("OK movement 7 left 10", "OK movement 7 left 10"), movement(7));
    assertThat(row.isClean()).isTrue();
    assertThat(row.rounds).isEqualTo(1);
    assertThat(tally.findings()).isEmpty();
  }

  @Test
  void declinedTransferThatDidNotMoveIsClean() {
    assertThat(audited(round("BUSINESS_ERROR declined: a has 3")).isClean()).isTrue();
  }

  @Test
  void answeredAndNotInTheBookIsLost() {
    assertThat(audited(round("OK movement 7 left 10")).lost).isEqualTo(1);
  }

  @Test
  void neverAnsweredIsLost() {
    assertThat(audited(round(), movement(7)).lost).isEqualTo(1);
  }

  @Test
  void twiceInTheBookIsDoubled() {
    Tally.Row row = audited(round("OK movement 7 left 10"), movement(7), movement(8));
    assertThat(row.doubled).isEqualTo(1);
    assertThat(tally.findings()).singleElement().asString().contains("reply and commit sent");
  }

  @Test
  void declinedAndInTheBookIsDoubled() {
    assertThat(audited(round("BUSINESS_ERROR declined"), movement(7)).doubled).isEqualTo(1);
  }

  @Test
  void anotherAnswerThanTheFirstIsDifferent() {
    Round round = round("OK movement 7 left 10", "OK movement 8 left 5");
    assertThat(audited(round, movement(7)).different).isEqualTo(1);
  }

  @Test
  void anotherAnswerThanTheBookIsDifferent() {
    assertThat(audited(round("OK movement 7 left 10"), movement(8)).different).isEqualTo(1);
  }

  @Test
  void movementThatNobodyAskedForIsDoubled() {
    Movement stranger = new Movement(9, new Transfer("s:two", "a", "b", 5), 10);
    audited(round("OK movement 7 left 10"), movement(7), stranger);
    assertThat(tally.total().doubled).isEqualTo(1);
  }
}
