package io.onceward.crash;

import io.onceward.DatedIds;
import io.onceward.Key;
import io.onceward.crash.bank.Transfer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Which rounds are to come: every step of a home equally often, in an order that a seed determines.
 */
final class Schedule {
  private static final int EVERY_SO_MANY_DECLINED = 12;
  private static final int AMOUNTS = 97;

  /** One retry in so many is killed once more. */
  private static final int KILLED_AGAIN = 6;

  private static final int MOST_KILLS = 3;

  private final Home home;
  private final Random dice;
  private final DatedIds ids = new DatedIds();
  private final List<Step> left = new ArrayList<>();
  private int pausesLeft;
  private int made;

  Schedule(Home home, int rounds, long seed) {
    this.home = home;
    this.dice = new Random(seed * 31 + home.ordinal());
    List<Step> steps = home.steps();
    for (int i = 0; i < rounds; i++) {
      Step step = steps.get(i % steps.size());
      if (step == Step.PAUSED) {
        pausesLeft++;
      } else {
        left.add(step);
      }
    }
    Collections.shuffle(left, dice);
  }

  /**
   * Whether the process that is started now shall have its runs paused. They have to be paused
   * together: it goes on living, and whatever else it had begun would stand in the way.
   */
  boolean pauses() {
    return pausesLeft > 0
        && (left.isEmpty() || dice.nextInt(left.size() + pausesLeft) < pausesLeft);
  }

  boolean hasMore() {
    return pausesLeft > 0 || !left.isEmpty();
  }

  /** The next round of a lane; null if there are no more of this kind. */
  @Nullable Round next(int lane, boolean paused) {
    if (paused ? pausesLeft == 0 : left.isEmpty()) {
      return null;
    }
    Step step = paused ? Step.PAUSED : left.remove(left.size() - 1);
    pausesLeft -= paused ? 1 : 0;
    int number = made++;
    Key key = number % 2 == 0 ? ids.next() : Key.text("crash-" + home.text() + "-" + number);
    long amount =
        number % EVERY_SO_MANY_DECLINED == EVERY_SO_MANY_DECLINED - 1
            ? Transfer.TOO_MUCH
            : 1 + number % AMOUNTS;
    Transfer transfer =
        new Transfer(key.toString(), Surroundings.source(lane), Surroundings.target(lane), amount);
    return new Round(lane, key, transfer, step);
  }

  /** Where the process that tries this round again is killed; null if it is not. */
  @Nullable Step again(Round round) {
    if (round.kills >= MOST_KILLS || dice.nextInt(KILLED_AGAIN) != 0) {
      return null;
    }
    Step step = home.steps().get(dice.nextInt(home.steps().size()));
    return step == Step.PAUSED ? null : step;
  }
}
