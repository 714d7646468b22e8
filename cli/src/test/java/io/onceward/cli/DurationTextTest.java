package io.onceward.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {

  @ParameterizedTest
  @CsvSource({"500ms,PT0.5S", "10s,PT10S", "5m,PT5M", "24h,PT24H", "30d,PT720H"})
  void everyUnitIsRead(String text, Duration duration) {
    assertThat(DurationText.parse(text)).isEqualTo(duration);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "10", "s", "-1s", "0s", "1.5h", "10 s", "10S", "9999999999d", "1h30m"})
  void anythingElseIsRefusedWithWhatIsAllowed(String text) {
    assertThatThrownBy(() -> DurationText.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("such as 500ms, 10s or 30d");
  }

  @Test
  void printsTheUnitThatSaysMost() {
    assertThat(DurationText.print(999)).isEqualTo("999ms");
    assertThat(DurationText.print(59_999)).isEqualTo("59s");
    assertThat(DurationText.print(60_000)).isEqualTo("1m");
    assertThat(DurationText.print(3_600_000)).isEqualTo("1h");
    assertThat(DurationText.print(86_400_000)).isEqualTo("1d");
  }
}
