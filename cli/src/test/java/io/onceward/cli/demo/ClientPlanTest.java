package io.onceward.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClientPlanTest {
  private static final ClientPlan PLAN =
      new ClientPlan(
          "client3",
          ClientPlan.Kind.DURABLE,
          1,
          Path.of("folder"),
          77,
          1_000,
          64,
          Map.of("127.0.0.1:7400", "127.0.0.1:9000"));

  @Test
  void isHandedOverAsWords() {
    assertThat(ClientPlan.parse(PLAN.words())).isEqualTo(PLAN);
  }

  @Test
  void theNextProcessKeepsNameAndJournalAndHasItsOwnRecordAndTags() {
    ClientPlan next = PLAN.again();

    assertThat(next.name()).isEqualTo(PLAN.name());
    assertThat(next.journal()).isEqualTo(PLAN.journal());
    assertThat(next.record()).isNotEqualTo(PLAN.record());
    assertThat(next.tag(1)).isNotEqualTo(PLAN.tag(1));
  }
}
