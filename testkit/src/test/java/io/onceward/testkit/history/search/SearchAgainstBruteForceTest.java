package io.onceward.testkit.history.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.testkit.world.Dice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Small random histories, judged by the search and by trying every order. Those that come from a
 * sequential execution are always good; with one answer changed, both judges agree whether they
 * still are.
 */
class SearchAgainstBruteForceTest {
  private static final int SEEDS = 3_000;
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** A model with what a generator has to know. */
  private record Subject<S, I, O>(
      SequentialModel<S, I, O> model,
      Function<Dice, I> ask,
      Answerer<S, I, O> answer,
      Function<Dice, O> lie) {}

  private interface Answerer<S, I, O> {
    O answer(S state, I input);
  }

  @Test
  void registers() {
    judge(
        new Subject<Long, CasRegister.Ask, Long>(
            new CasRegister(),
            dice ->
                switch (dice.below(3)) {
                  case 0 -> new CasRegister.Read();
                  case 1 -> new CasRegister.Write(dice.below(3));
                  default -> new CasRegister.CompareAndSet(dice.below(3), dice.below(3));
                },
            (state, ask) ->
                ask instanceof CasRegister.Read
                    ? state
                    : ask instanceof CasRegister.CompareAndSet set && set.expected() == state
                        ? 1L
                        : 0L,
            dice -> (long) dice.below(3)));
  }

  @Test
  void counters() {
    judge(
        new Subject<Long, Long, Long>(
            new AddingCounter(),
            dice -> (long) dice.below(3),
            Long::sum,
            dice -> (long) dice.below(6)));
  }

  @Test
  void lists() {
    judge(
        new Subject<List<Long>, AppendList.Ask, List<Long>>(
            new AppendList(),
            dice ->
                dice.below(2) == 0 ? new AppendList.Read() : new AppendList.Append(dice.below(2)),
            (state, ask) -> ask instanceof AppendList.Read ? state : List.of(),
            dice -> dice.below(2) == 0 ? List.of(0L) : List.of((long) dice.below(2), 1L)));
  }

  @Test
  void mutexes() {
    judge(
        new Subject<String, Mutex.Ask, Boolean>(
            new Mutex(),
            dice ->
                dice.below(2) == 0
                    ? new Mutex.Acquire("h" + dice.below(2))
                    : new Mutex.Release("h" + dice.below(2)),
            (state, ask) ->
                ask instanceof Mutex.Acquire
                    ? state.isEmpty()
                    : state.equals(((Mutex.Release) ask).holder()),
            dice -> dice.below(2) == 0));
  }

  @Test
  void queues() {
    judge(
        new Subject<List<Long>, FifoQueue.Ask, OptionalLong>(
            new FifoQueue(),
            dice -> dice.below(2) == 0 ? new FifoQueue.Poll() : new FifoQueue.Offer(dice.below(3)),
            (state, ask) ->
                ask instanceof FifoQueue.Offer || state.isEmpty()
                    ? OptionalLong.empty()
                    : OptionalLong.of(state.get(0)),
            dice -> dice.below(4) == 0 ? OptionalLong.empty() : OptionalLong.of(dice.below(3))));
  }

  private static <S, I, O> void judge(Subject<S, I, O> subject) {
    int rejected = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      Dice dice = new Dice(seed);
      List<Operation<I, O>> history = happened(subject, dice);
      assertThat(Linearizability.check(subject.model(), history, LIMIT))
          .as("seed %s: %s", seed, history)
          .isInstanceOf(Verdict.Linearizable.class);
      List<Operation<I, O>> changed = withALie(subject, dice, history);
      boolean good = tryEveryOrder(subject.model(), changed);
      rejected += good ? 0 : 1;
      Verdict verdict = Linearizability.check(subject.model(), changed, LIMIT);
      assertThat(verdict instanceof Verdict.Linearizable)
          .as("seed %s: %s of %s", seed, verdict, changed)
          .isEqualTo(good);
    }
    // If hardly any lie were one, the comparison would say little.
    assertThat(rejected).isBetween(SEEDS / 10, SEEDS * 19 / 20);
  }

  /** A sequential execution, with times spread around the moment at which each took effect. */
  private static <S, I, O> List<Operation<I, O>> happened(Subject<S, I, O> subject, Dice dice) {
    List<Operation<I, O>> history = new ArrayList<>();
    S state = subject.model().initial();
    int count = 2 + dice.below(5);
    for (int i = 0; i < count; i++) {
      I input = subject.ask().apply(dice);
      O output = subject.answer().answer(state, input);
      long moment = 100 + 10L * i;
      boolean heard = dice.below(5) > 0;
      if (heard || dice.below(2) == 0) {
        state = subject.model().step(state, input, output).get(0);
      }
      history.add(
          heard
              ? Operation.answered(
                  "op" + i, "k", moment - dice.below(25), moment + dice.below(25), input, output)
              : Operation.pending("op" + i, "k", moment - dice.below(25), input));
    }
    return history;
  }

  private static <S, I, O> List<Operation<I, O>> withALie(
      Subject<S, I, O> subject, Dice dice, List<Operation<I, O>> history) {
    List<Operation<I, O>> changed = new ArrayList<>(history);
    int at = dice.below(history.size());
    Operation<I, O> truth = history.get(at);
    if (!truth.isPending()) {
      changed.set(
          at,
          Operation.answered(
              truth.name(),
              truth.key(),
              truth.invoked(),
              truth.answered(),
              truth.input(),
              subject.lie().apply(dice)));
    }
    return changed;
  }

  // ---- the other judge: every order of every choice of pending operations

  private static <S, I, O> boolean tryEveryOrder(
      SequentialModel<S, I, O> model, List<Operation<I, O>> history) {
    return goesOn(model, model.initial(), new ArrayList<>(history));
  }

  private static <S, I, O> boolean goesOn(
      SequentialModel<S, I, O> model, S state, List<Operation<I, O>> left) {
    boolean onlyPending = true;
    for (Operation<I, O> operation : left) {
      onlyPending &= operation.answered() == Operation.PENDING;
    }
    if (onlyPending) {
      return true;
    }
    for (Operation<I, O> first : left) {
      if (isTooEarly(first, left)) {
        continue;
      }
      @Nullable O output = first.output();
      List<Operation<I, O>> others = new ArrayList<>(left);
      others.remove(first);
      for (S after : model.step(state, first.input(), output)) {
        if (goesOn(model, after, others)) {
          return true;
        }
      }
    }
    return false;
  }

  private static <I, O> boolean isTooEarly(Operation<I, O> operation, List<Operation<I, O>> left) {
    for (Operation<I, O> other : left) {
      if (other.answered() < operation.invoked()) {
        return true;
      }
    }
    return false;
  }
}
