package io.onceward.testkit.history;

import static io.onceward.testkit.history.RecordedRun.ACCOUNTS;
import static io.onceward.testkit.history.RecordedRun.COUNTERS;
import static io.onceward.testkit.history.RecordedRun.LISTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Executed;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.RequestId;
import io.onceward.client.Decided;
import io.onceward.replica.Request;
import io.onceward.services.CounterCommand;
import io.onceward.testkit.history.RecordedRun.Effect;
import io.onceward.testkit.history.numbered.AccountCommand;
import io.onceward.testkit.history.numbered.ListCommand;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs of a system with a mistake, and the names of the checks that notice it. */
class BrokenHistoriesTest {
  private static final Bytes ADD = CounterCommand.encode(new CounterCommand.Add("hits", 1));
  private static final Bytes GET = CounterCommand.encode(new CounterCommand.Get("hits"));

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

  // ---- once

  @Test
  void aCopyThatExecutedAgainHasAnotherSerial() {
    long first = run.invoke(COUNTERS, "r", ADD);
    run.answer(first, run.effect(COUNTERS, ADD));
    long copy = run.invoke(COUNTERS, "r", ADD);
    run.answer(copy, run.effect(COUNTERS, ADD));
    assertThat(run.broken()).contains("OneSerialPerId", "AnswersNeverDiffer");
  }

  @Test
  void anEffectThatHappenedTwiceBehindEveryonesBackIsAHoleThatNobodyAskedFor() {
    Effect effect = run.request(COUNTERS, ADD);
    run.effect(COUNTERS, ADD);
    run.request(COUNTERS, ADD);
    assertThat(effect.position()).isEqualTo(1);
    assertThat(run.broken())
        .containsExactlyInAnyOrder("EveryEffectIsAccountedFor", "RepliesAsTheModelSays");
    assertThat(run.isBrokenBySearch()).isTrue();
  }

  @Test
  void anEffectBehindTheLastAnswerIsSeenByTheFinalSerial() {
    run.request(COUNTERS, ADD);
    run.effect(COUNTERS, ADD);
    assertThat(run.broken()).isEmpty();
    run.options.finalSerial(COUNTERS, 2);
    assertThat(run.broken()).containsExactly("EveryEffectIsAccountedFor");
  }

  @Test
  void anAcknowledgedEffectThatIsGoneAtTheEndIsMissed() {
    run.request(COUNTERS, ADD);
    run.request(COUNTERS, ADD);
    run.options.finalSerial(COUNTERS, 1);
    assertThat(run.broken()).containsExactly("EveryEffectIsAccountedFor");
  }

  @Test
  void aServiceThatWentBackInTimeGivesASerialAgain() {
    Effect effect = run.request(COUNTERS, ADD);
    run.answer(run.invoke(COUNTERS, "another", ADD), effect);
    assertThat(run.broken()).contains("OneIdPerSerial");
  }

  @Test
  void aSerialAboveAllCommandsIsNotBelieved() {
    Reply reply = Reply.ok(Bytes.of(new byte[] {1, 0, 0, 0, 0, 0, 0, 1, 1, 0}));
    run.answer(run.invoke(COUNTERS, "r", ADD), new Effect(reply, 1, 1));
    assertThat(run.broken()).containsExactly("EveryEffectIsAccountedFor");
  }

  @Test
  void aReplyWithoutASerialIsNotBelieved() {
    run.answer(run.invoke(COUNTERS, "r", ADD), new Effect(Reply.ok("short"), 1, 1));
    assertThat(run.broken()).containsExactly("OneSerialPerId");
  }

  @Test
  void anEffectOfARequestThatNobodySentIsAPhantom() {
    Effect effect = run.effect(COUNTERS, ADD);
    run.answer(run.writer.inquired("client", COUNTERS, "never sent"), effect);
    assertThat(run.broken()).containsExactly("EveryEffectIsAccountedFor");
  }

  @Test
  void aRequestOfUnknownOutcomeExplainsAHole() {
    run.invoke(COUNTERS, "lost", ADD);
    run.effect(COUNTERS, ADD);
    run.request(COUNTERS, ADD);
    run.options.finalSerial(COUNTERS, 2);
    HistoryCheck check = run.check();
    assertThat(check.holds()).isTrue();
    assertThat(check.summary().holes()).isEqualTo(1);
    assertThat(check.summary().unknown()).isEqualTo(1);
    assertThat(finding(check, "RepliesAsTheModelSays").counted())
        .isEqualTo("1 holes that the model stepped over, 1 replies taken for granted behind them");
  }

  /** What was sent is in the journal, and what is in the journal comes to an end. */
  @Test
  void aRequestThatAJournalForgotExplainsNoHole() {
    run.options.journaled("lost"::equals);
    run.invoke(COUNTERS, "lost", ADD);
    run.effect(COUNTERS, ADD);
    run.request(COUNTERS, ADD);
    assertThat(run.broken()).contains("EveryEffectIsAccountedFor");
  }

  @Test
  void aRequestThatFilledAHoleIsNotSuspectedOfTheNextOne() {
    Bytes other = CounterCommand.encode(new CounterCommand.Add("misses", 1));
    run.invoke(COUNTERS, "lost", ADD);
    run.effect(COUNTERS, ADD);
    run.request(COUNTERS, ADD);
    run.invoke(COUNTERS, "lost too", other);
    run.effect(COUNTERS, other);
    run.request(COUNTERS, other);
    run.request(COUNTERS, ADD);
    assertThat(finding(run.check(), "RepliesAsTheModelSays").counted())
        .isEqualTo("2 holes that the model stepped over, 2 replies taken for granted behind them");
  }

  @Test
  void aRequestThatWasSentTooLateExplainsNoHole() {
    run.effect(COUNTERS, ADD);
    run.request(COUNTERS, ADD);
    run.invoke(COUNTERS, "late", ADD);
    assertThat(run.broken()).contains("EveryEffectIsAccountedFor");
  }

  @Test
  void anOutcomeThatIsLearnedLaterFillsItsHole() {
    run.writer.unknown(run.invoke(COUNTERS, "lost", ADD));
    Effect effect = run.effect(COUNTERS, ADD);
    run.request(COUNTERS, ADD);
    run.replay(run.writer.inquired("the end", COUNTERS, "lost"), effect);
    HistoryCheck check = run.check();
    assertThat(check.holds()).isTrue();
    assertThat(check.summary().holes()).isZero();
  }

  @Test
  void aRequestThatFailedInsideTheServiceMustLeaveAHole() {
    long op = run.invoke(COUNTERS, "failed", ADD);
    run.answer(op, new Effect(Reply.FAILED, 1, 1_000_000));
    run.options.finalSerial(COUNTERS, 0);
    assertThat(run.broken()).containsExactly("EveryEffectIsAccountedFor");
    run.options.finalSerial(COUNTERS, 1);
    assertThat(run.broken()).isEmpty();
  }

  // ---- the same answer

  @Test
  void copiesThatHearOtherBytesAreNoticed() {
    long first = run.invoke(COUNTERS, "r", ADD);
    Effect effect = run.effect(COUNTERS, ADD);
    run.answer(first, effect);
    long copy = run.invoke(COUNTERS, "r", ADD);
    run.replay(copy, new Effect(flipped(effect.reply(), 12), 1, effect.timeMillis()));
    assertThat(run.broken()).containsExactly("AnswersNeverDiffer");
  }

  @Test
  void copiesThatHearAnotherPositionAreNoticed() {
    long first = run.invoke(COUNTERS, "r", ADD);
    Effect effect = run.effect(COUNTERS, ADD);
    run.answer(first, effect);
    long copy = run.invoke(COUNTERS, "r", ADD);
    run.replay(copy, new Effect(effect.reply(), 2, effect.timeMillis()));
    assertThat(run.broken()).containsExactly("AnswersNeverDiffer");
  }

  @Test
  void aCopyThatAsksSomethingElseMustNotBeAnswered() {
    long first = run.invoke(COUNTERS, "r", ADD);
    Effect effect = run.effect(COUNTERS, ADD);
    run.answer(first, effect);
    long other = run.invoke(COUNTERS, "r", GET);
    run.replay(other, effect);
    assertThat(run.broken()).containsExactly("AnswersNeverDiffer");
  }

  @Test
  void aCopyThatAsksSomethingElseMayBeRefusedAsMismatch() {
    long first = run.invoke(COUNTERS, "r", ADD);
    run.answer(first, run.effect(COUNTERS, ADD));
    run.refuse(run.invoke(COUNTERS, "r", GET), Refusal.MISMATCH);
    assertThat(run.broken()).isEmpty();
  }

  @Test
  void whatWasRefusedAsNeverMustNotHaveExecuted() {
    long first = run.invoke(COUNTERS, "r", ADD);
    Effect effect = run.effect(COUNTERS, ADD);
    run.writer.refused(first, Refusal.ABANDONED, Executed.NEVER);
    run.replay(run.invoke(COUNTERS, "r", ADD), effect);
    assertThat(run.broken()).containsExactly("NeverMeansNever");
  }

  // ---- order

  @Test
  void whatWasSentAfterAnAnswerMustNotComeBeforeIt() {
    Effect early = run.effect(COUNTERS, ADD);
    run.request(COUNTERS, ADD);
    run.answer(run.invoke(COUNTERS, "late", ADD), early);
    assertThat(run.broken()).containsExactlyInAnyOrder("RealTimeOrderIsKept", "LogOrderIsKept");
  }

  @Test
  void theLogOrdersRequestsOfDifferentServicesToo() {
    Effect early = run.effect(COUNTERS, ADD);
    run.request(LISTS, ListCommand.append("l", Bytes.EMPTY));
    run.answer(run.invoke(COUNTERS, "late", ADD), early);
    assertThat(run.broken()).containsExactly("LogOrderIsKept");
  }

  @Test
  void positionsGrowWithSerials() {
    long a = run.invoke(COUNTERS, "a", ADD);
    long b = run.invoke(COUNTERS, "b", ADD);
    Effect first = run.effect(COUNTERS, ADD);
    Effect second = run.effect(COUNTERS, ADD);
    run.answer(a, new Effect(first.reply(), second.position(), first.timeMillis()));
    run.answer(b, new Effect(second.reply(), first.position(), first.timeMillis()));
    assertThat(run.broken()).containsExactly("LogOrderIsKept");
  }

  @Test
  void aStaleReadIsNoticed() {
    Reply stale = run.look(COUNTERS, GET);
    run.request(COUNTERS, ADD);
    run.writer.answered(run.writer.queried("reader", COUNTERS, GET), stale);
    assertThat(run.broken()).containsExactly("RealTimeOrderIsKept");
    assertThat(run.isBrokenBySearch()).isTrue();
  }

  @Test
  void aReadOfAWriteThatWasNotSentYetIsNoticed() {
    Effect early = run.effect(COUNTERS, ADD);
    run.query(COUNTERS, GET);
    run.answer(run.invoke(COUNTERS, "late", ADD), early);
    assertThat(run.broken()).containsExactly("RealTimeOrderIsKept");
    assertThat(run.isBrokenBySearch()).isTrue();
  }

  @Test
  void readsThatGoBackAreNoticed() {
    Reply before = run.look(COUNTERS, GET);
    long add = run.invoke(COUNTERS, "r", ADD);
    Effect effect = run.effect(COUNTERS, ADD);
    run.query(COUNTERS, GET);
    run.writer.answered(run.writer.queried("reader", COUNTERS, GET), before);
    run.answer(add, effect);
    assertThat(run.broken()).containsExactly("RealTimeOrderIsKept");
    assertThat(run.isBrokenBySearch()).isTrue();
  }

  @Test
  void sequencesOfAnOrderedSessionThatOvertakeEachOtherAreNoticed() {
    long first = run.invoke(COUNTERS, "a", ADD);
    long second = run.invoke(COUNTERS, "b", ADD);
    run.writer.answered(second, decided(2, run.effect(COUNTERS, ADD)), true);
    run.writer.answered(first, decided(1, run.effect(COUNTERS, ADD)), true);
    assertThat(run.broken()).containsExactly("SessionOrderIsKept");
  }

  @Test
  void sequencesThatOvertakeEachOtherWithinOneEntryAreNoticedByTheirSerials() {
    long first = run.invoke(COUNTERS, "a", ADD);
    long second = run.invoke(COUNTERS, "b", ADD);
    Effect one = run.effect(COUNTERS, ADD);
    Effect other = run.effect(COUNTERS, ADD);
    run.writer.answered(second, decided(2, one), true);
    run.writer.answered(
        first, decided(1, new Effect(other.reply(), one.position(), one.timeMillis())), true);
    assertThat(run.broken()).containsExactly("SessionOrderIsKept");
  }

  @Test
  void sequencesOfAnOrderedSessionThatOvertakeEachOtherAcrossServicesAreNoticed() {
    Bytes append = ListCommand.append("l", Bytes.EMPTY);
    long first = run.invoke(COUNTERS, "a", ADD);
    long second = run.invoke(LISTS, "b", append);
    run.writer.answered(second, decided(2, run.effect(LISTS, append)), true);
    run.writer.answered(first, decided(1, run.effect(COUNTERS, ADD)), true);
    assertThat(run.broken()).containsExactly("SessionOrderIsKept");
  }

  @Test
  void sequencesOfAnUnorderedSessionMayOvertakeEachOther() {
    long first = run.invoke(COUNTERS, "a", ADD);
    long second = run.invoke(COUNTERS, "b", ADD);
    run.writer.answered(second, decided(2, run.effect(COUNTERS, ADD)), false);
    run.writer.answered(first, decided(1, run.effect(COUNTERS, ADD)), false);
    assertThat(run.broken()).isEmpty();
  }

  private static Decided decided(long sequence, Effect effect) {
    Request.Address address = new Request.Address(7, 1 << 16, 1 << 16);
    return new Decided(
        new RequestId.OfSequence(address, sequence),
        effect.reply(),
        false,
        effect.position(),
        effect.timeMillis());
  }

  // ---- replies

  @Test
  void aReplyThatTheModelWouldNotGiveIsNoticed() {
    long op = run.invoke(COUNTERS, "r", ADD);
    Effect effect = run.effect(COUNTERS, ADD);
    run.answer(op, new Effect(flipped(effect.reply(), 16), 1, effect.timeMillis()));
    assertThat(run.broken()).containsExactly("RepliesAsTheModelSays");
    assertThat(run.isBrokenBySearch()).isTrue();
  }

  @Test
  void booksThatDoNotBalanceAreNoticed() {
    run.request(ACCOUNTS, AccountCommand.deposit("a", 10));
    long op = run.writer.queried("auditor", ACCOUNTS, AccountCommand.books());
    run.writer.answered(op, flipped(run.look(ACCOUNTS, AccountCommand.books()), 15));
    assertThat(run.broken()).containsExactlyInAnyOrder("BooksBalance", "RepliesAsTheModelSays");
  }

  @Test
  void aNegativeBalanceIsNoticed() {
    Effect deposit = run.effect(ACCOUNTS, AccountCommand.deposit("a", 10));
    long op = run.invoke(ACCOUNTS, "r", AccountCommand.deposit("a", 10));
    run.answer(op, new Effect(flipped(deposit.reply(), 8), 1, deposit.timeMillis()));
    assertThat(run.broken()).contains("BooksBalance");
  }

  @Test
  void nodesThatEndDifferentlyAreNoticed() {
    run.options.finalState("n1", 5, "aa").finalState("n2", 5, "ab");
    assertThat(run.broken()).containsExactly("FinalStatesAgree");
  }

  @Test
  void nodesThatEndAtDifferentPositionsAreNoticed() {
    run.options.finalState("n1", 5, "aa").finalState("n2", 6, "aa");
    assertThat(run.broken()).containsExactly("FinalStatesAgree");
  }

  @Test
  void aViolationNamesWhoWhatAndWhen() {
    run.request(COUNTERS, ADD);
    run.request(COUNTERS, ADD);
    run.options.finalSerial(COUNTERS, 1);
    assertThat(finding(run.check(), "EveryEffectIsAccountedFor").violations())
        .singleElement()
        .asString()
        .contains(
            "COMMAND r2 of client to counters (op 2 in ",
            "answered at",
            "from position 2",
            "(serial 2)");
  }

  private static Finding finding(HistoryCheck check, String name) {
    return check.findings().stream().filter(f -> f.name().equals(name)).findFirst().orElseThrow();
  }

  private static Reply flipped(Reply reply, int at) {
    byte[] bytes = reply.bytes().toArray();
    bytes[at] ^= (byte) 0x80;
    return new Reply(reply.kind(), Bytes.of(bytes));
  }
}
