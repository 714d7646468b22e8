package io.onceward.testkit.history.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.testkit.history.search.CasRegister.CompareAndSet;
import io.onceward.testkit.history.search.CasRegister.Read;
import io.onceward.testkit.history.search.CasRegister.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Histories that are known to be good or bad. */
class LinearizabilityTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final List<Operation<CasRegister.Ask, Long>> history = new ArrayList<>();

  private void heard(long invoked, long answered, CasRegister.Ask ask, long answer) {
    history.add(Operation.answered("op" + history.size(), "k", invoked, answered, ask, answer));
  }

  private void unheard(long invoked, CasRegister.Ask ask) {
    history.add(Operation.pending("op" + history.size(), "k", invoked, ask));
  }

  private Verdict verdict() {
    return Linearizability.check(new CasRegister(), history, LIMIT);
  }

  private void assertGood() {
    assertThat(verdict()).isInstanceOf(Verdict.Linearizable.class);
  }

  private void assertBad() {
    assertThat(verdict()).isInstanceOf(Verdict.NotLinearizable.class);
  }

  @Test
  void nothingAtAllIsGood() {
    assertGood();
  }

  @Test
  void aReadThatOverlapsAWriteMaySeeEither() {
    heard(1, 10, new Write(1), 0);
    heard(2, 3, new Read(), 0);
    heard(4, 5, new Read(), 1);
    assertGood();
  }

  @Test
  void aStaleReadIsBad() {
    heard(1, 2, new Write(1), 0);
    heard(3, 4, new Read(), 0);
    assertBad();
  }

  @Test
  void readsThatGoBackAreBad() {
    heard(1, 10, new Write(1), 0);
    heard(2, 3, new Read(), 1);
    heard(4, 5, new Read(), 0);
    assertBad();
  }

  @Test
  void aPhantomWriteIsBad() {
    heard(1, 2, new Write(1), 0);
    heard(3, 4, new Read(), 7);
    assertBad();
  }

  @Test
  void aReadBeforeItsWriteWasSentIsBad() {
    heard(1, 2, new Read(), 1);
    heard(3, 4, new Write(1), 0);
    assertBad();
  }

  @Test
  void twoWinnersOfOneCompareAndSetAreBad() {
    heard(1, 10, new CompareAndSet(0, 1), 1);
    heard(2, 9, new CompareAndSet(0, 2), 1);
    assertBad();
  }

  @Test
  void aCompareAndSetMayWinAgainAfterTheValueCameBack() {
    heard(1, 2, new CompareAndSet(0, 1), 1);
    heard(3, 4, new CompareAndSet(1, 0), 1);
    heard(5, 6, new CompareAndSet(0, 2), 1);
    assertGood();
  }

  @Test
  void aCompareAndSetThatFailsAlthoughTheValueCameBackIsBad() {
    heard(1, 2, new CompareAndSet(0, 1), 1);
    heard(3, 4, new CompareAndSet(1, 0), 1);
    heard(5, 6, new CompareAndSet(0, 2), 0);
    assertBad();
  }

  @Test
  void aPendingWriteMayHaveHappened() {
    unheard(1, new Write(1));
    heard(2, 3, new Read(), 1);
    assertGood();
  }

  @Test
  void aPendingWriteMayNeverHappen() {
    unheard(1, new Write(1));
    heard(2, 3, new Read(), 0);
    assertGood();
  }

  @Test
  void aPendingWriteMayHappenMuchLater() {
    unheard(1, new Write(1));
    heard(2, 3, new Write(2), 0);
    heard(4, 5, new Read(), 2);
    heard(6, 7, new Read(), 1);
    assertGood();
  }

  @Test
  void aPendingWriteHappensOnceOnly() {
    unheard(1, new Write(1));
    heard(2, 3, new Read(), 1);
    heard(4, 5, new Write(2), 0);
    heard(6, 7, new Read(), 1);
    assertBad();
  }

  @Test
  void aPendingWriteDoesNotHappenBeforeItIsSent() {
    heard(1, 2, new Read(), 1);
    unheard(3, new Write(1));
    assertBad();
  }

  @Test
  void keysAreJudgedOnTheirOwn() {
    history.add(Operation.answered("a", "x", 1, 2, new Write(1), 0L));
    history.add(Operation.answered("b", "y", 3, 4, new Read(), 0L));
    assertThat(verdict()).isEqualTo(new Verdict.Linearizable(2, 2));
    history.add(Operation.answered("c", "y", 5, 6, new Read(), 1L));
    assertThat(verdict())
        .isInstanceOfSatisfying(
            Verdict.NotLinearizable.class, bad -> assertThat(bad.key()).isEqualTo("y"));
  }

  @Test
  void anExplanationNamesTheFirstAnswerThatCannotBe() {
    heard(1, 2, new Write(1), 0);
    heard(3, 4, new Read(), 1);
    heard(5, 6, new Read(), 0);
    heard(7, 8, new Read(), 1);
    assertThat(verdict())
        .isInstanceOfSatisfying(
            Verdict.NotLinearizable.class,
            bad -> {
              assertThat(bad.culprit()).startsWith("op2");
              assertThat(bad.order()).hasSize(2);
              assertThat(bad.states()).isEqualTo("[1]");
              assertThat(bad.stuck()).singleElement().asString().startsWith("op2");
            });
  }

  @Test
  void aSearchThatTakesTooLongSaysSo() {
    for (int i = 0; i < 40; i++) {
      unheard(1, new CompareAndSet(i % 7, i % 5 + 1));
      heard(2, 3 + i, new CompareAndSet(i % 3, i % 6), i % 2);
    }
    heard(100, 101, new Read(), 99);
    Verdict verdict = Linearizability.check(new CasRegister(), history, Duration.ofMillis(50));
    assertThat(verdict).isInstanceOf(Verdict.Undecided.class);
  }

  // ---- other models

  @Test
  void aLostUpdateOfACounterIsBad() {
    List<Operation<Long, Long>> counter =
        List.of(
            Operation.answered("a", "k", 1, 10, 1L, 1L),
            Operation.answered("b", "k", 2, 9, 1L, 1L));
    assertThat(Linearizability.check(new AddingCounter(), counter, LIMIT))
        .isInstanceOf(Verdict.NotLinearizable.class);
  }

  @Test
  void aDoubleEffectOnACounterIsBad() {
    List<Operation<Long, Long>> counter =
        List.of(
            Operation.answered("a", "k", 1, 2, 1L, 1L), Operation.answered("b", "k", 3, 4, 1L, 3L));
    assertThat(Linearizability.check(new AddingCounter(), counter, LIMIT))
        .isInstanceOf(Verdict.NotLinearizable.class);
  }

  @Test
  void reorderedAppendsAreBad() {
    assertThat(appends(List.of(2L, 1L))).isInstanceOf(Verdict.NotLinearizable.class);
    assertThat(appends(List.of(1L))).isInstanceOf(Verdict.NotLinearizable.class);
    assertThat(appends(List.of(1L, 2L, 2L))).isInstanceOf(Verdict.NotLinearizable.class);
    assertThat(appends(List.of(1L, 2L))).isInstanceOf(Verdict.Linearizable.class);
  }

  private static Verdict appends(List<Long> read) {
    List<Operation<AppendList.Ask, List<Long>>> list =
        List.of(
            Operation.answered("a", "k", 1, 2, new AppendList.Append(1), List.of()),
            Operation.answered("b", "k", 3, 4, new AppendList.Append(2), List.of()),
            Operation.answered("c", "k", 5, 6, new AppendList.Read(), read));
    return Linearizability.check(new AppendList(), list, LIMIT);
  }

  @Test
  void twoHoldersOfAMutexAreBad() {
    List<Operation<Mutex.Ask, Boolean>> mutex =
        List.of(
            Operation.answered("a", "k", 1, 2, new Mutex.Acquire("x"), true),
            Operation.answered("b", "k", 3, 6, new Mutex.Acquire("y"), true),
            Operation.answered("c", "k", 7, 8, new Mutex.Release("x"), true));
    assertThat(Linearizability.check(new Mutex(), mutex, LIMIT))
        .isInstanceOf(Verdict.NotLinearizable.class);
  }

  @Test
  void aMutexThatIsGivenBackInBetweenIsGood() {
    List<Operation<Mutex.Ask, Boolean>> mutex =
        List.of(
            Operation.answered("a", "k", 1, 2, new Mutex.Acquire("x"), true),
            Operation.answered("b", "k", 3, 6, new Mutex.Acquire("y"), true),
            Operation.pending("c", "k", 4, new Mutex.Release("x")));
    assertThat(Linearizability.check(new Mutex(), mutex, LIMIT))
        .isInstanceOf(Verdict.Linearizable.class);
  }

  @Test
  void aQueueThatGivesTheNewerFirstIsBad() {
    assertThat(queue(OptionalLong.of(2))).isInstanceOf(Verdict.NotLinearizable.class);
    assertThat(queue(OptionalLong.empty())).isInstanceOf(Verdict.NotLinearizable.class);
    assertThat(queue(OptionalLong.of(1))).isInstanceOf(Verdict.Linearizable.class);
  }

  private static Verdict queue(OptionalLong polled) {
    List<Operation<FifoQueue.Ask, OptionalLong>> queue =
        List.of(
            Operation.answered("a", "k", 1, 2, new FifoQueue.Offer(1), OptionalLong.empty()),
            Operation.answered("b", "k", 3, 4, new FifoQueue.Offer(2), OptionalLong.empty()),
            Operation.answered("c", "k", 5, 6, new FifoQueue.Poll(), polled));
    return Linearizability.check(new FifoQueue(), queue, LIMIT);
  }
}
