package io.onceward.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.testkit.history.Finding;
import io.onceward.testkit.history.HistorySummary;
import io.onceward.torture.Fault.Kind;
import io.onceward.torture.Fault.Step;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LedgerEntryTest {
  private static final HistorySummary SUMMARY =
      new HistorySummary(1, 0, 2_000_000, 1, 1_234_567, 1, 1, 1, 0, 0);

  private final Chronicle chronicle = new Chronicle(line -> {});

  @Test
  void countsWhatTheLedgerCounts() throws Exception {
    happen(Kind.KILL_LEADER, 1);
    happen(Kind.KILL_LEADER, 1);
    happen(Kind.KILL_ALL, 3);
    happen(Kind.PAUSE_LEADER, 1);
    happen(Kind.PAUSE_FOLLOWER, 1);
    happen(Kind.PAUSE_FOLLOWER, 1);
    happen(Kind.PAUSE_CLIENT, 1);
    happen(Kind.BRIDGE, 1);
    happen(Kind.ONE_WAY, 1);
    happen(Kind.ISOLATE_LEADER, 1);
    happen(Kind.CLIENTS_CUT_OFF, 1);
    happen(Kind.SLOW, 1);
    happen(Kind.POWER_CUT, 1);
    happen(Kind.POWER_CUT_ALL, 5);
    Finding broken = new Finding("OneIdPerSerial", "p", 9, "", 7, List.of("one"));
    Conclusion conclusion =
        new Conclusion(
            TortureArguments.parse(List.of("--minutes", "2", "--seed", "9", "--nodes", "5")),
            "here",
            Set.of(),
            chronicle,
            SUMMARY,
            List.of(broken),
            List.of("a ended by itself"),
            List.of());
    assertThat(new LedgerEntry(conclusion).row(LocalDate.of(2026, 1, 2), "abc"))
        .isEqualTo(
            "| 2026-01-02 | abc | `./onceward torture --minutes 2 --seed 9 --nodes 5` | 2"
                + " | 1,234,567 | 2 | 3 | 4 | 6 | 8 |");
  }

  @Test
  void aFaultThatNeverEndedIsToldToo() {
    Fault ended = happen(Kind.CLOCK, 1);
    happen(Kind.SLOW, 1);
    chronicle.ended(ended, 0);
    assertThat(chronicle.troubles())
        .extracting(Chronicle.Trouble::kind)
        .containsExactly(Kind.CLOCK, Kind.SLOW);
  }

  private Fault happen(Kind kind, int victims) {
    // Each time another one, as steps are: equal faults would be taken for one.
    Step begin = () -> happen(kind, victims);
    Fault fault = new Fault(kind, kind.words(), victims, begin, Step.nothing());
    chronicle.begun(fault);
    return fault;
  }
}
