package io.onceward.testkit.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VirtualTimeTest {
  private final VirtualTime time = new VirtualTime();
  private final List<String> happened = new ArrayList<>();

  @Test
  void eventsOfOneMillisecondHappenInTheOrderTheyWereAskedFor() {
    time.after(5, () -> happened.add("b"));
    time.after(2, () -> happened.add("a"));
    time.after(5, () -> happened.add("c"));
    while (time.step(100)) {
      // Each step is one event.
    }
    assertThat(happened).containsExactly("a", "b", "c");
    assertThat(time.nowMillis()).isEqualTo(100);
  }

  @Test
  void nothingHappensBeforeItsTime() {
    time.after(5, () -> happened.add("late"));
    assertThat(time.step(4)).isFalse();
    assertThat(happened).isEmpty();
  }
}
