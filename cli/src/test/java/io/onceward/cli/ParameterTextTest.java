package io.onceward.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.replica.Parameter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ParameterTextTest {

  @ParameterizedTest
  @EnumSource(Parameter.class)
  void everyParameterIsFoundByItsNameAndReadsWhatItPrints(Parameter parameter) {
    ParameterText text = new ParameterText(parameter);
    assertThat(ParameterText.parse(text.name()).parameter()).isEqualTo(parameter);
    assertThat(text.value(text.print(parameter.initial()))).isEqualTo(parameter.initial());
    assertThat(text.value(text.print(parameter.most()))).isEqualTo(parameter.most());
    assertThat(text.value(text.print(parameter.least()))).isEqualTo(parameter.least());
  }

  @Test
  void aTimeIsWrittenAsADuration() {
    assertThat(ParameterText.parse("retention").value("48h")).isEqualTo(172_800_000);
    assertThatThrownBy(() -> ParameterText.parse("retention").value("48"))
        .hasMessageContaining("a duration is");
  }

  @Test
  void whatIsOutOfRangeIsToldTheRange() {
    assertThatThrownBy(() -> ParameterText.parse("retention").value("1s"))
        .hasMessage("retention is from 10m to 3650d, not 1s");
    assertThatThrownBy(() -> ParameterText.parse("default-window").value("0"))
        .hasMessage("default-window is from 1 to 65536, not 0");
    assertThatThrownBy(() -> ParameterText.parse("default-window").value("many"))
        .hasMessageContaining("a whole number");
  }

  @Test
  void anUnknownNameIsToldWhatThereIs() {
    assertThatThrownBy(() -> ParameterText.parse("retentions"))
        .hasMessageContaining("there are retention, session-expiry");
  }
}
