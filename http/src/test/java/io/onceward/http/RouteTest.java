package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.guard.Meaning;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the statuses of an application mean. */
class RouteTest {
  @ParameterizedTest
  @ValueSource(ints = {200, 201, 204, 302, 400, 402, 403, 404, 405, 409, 410, 412, 418, 422, 423})
  void anAnswerIsRemembered(int status) {
    assertThat(Route.optional().meaningOf(status)).isEqualTo(Meaning.BUSINESS_ERROR);
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 407, 421, 425, 429})
  void aRefusalThatPassesDidNotHappen(int status) {
    assertThat(Route.optional().meaningOf(status)).isEqualTo(Meaning.DID_NOT_HAPPEN);
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 499, 500, 502, 503, 504, 507})
  void aFailureThatMayPassLeavesItUnknown(int status) {
    assertThat(Route.optional().meaningOf(status)).isEqualTo(Meaning.UNKNOWN);
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 401, 408, 429, 503})
  void aRouteSaysItOtherwise(int status) {
    for (Meaning meaning : Meaning.values()) {
      assertThat(Route.optional().status(status, meaning).meaningOf(status)).isEqualTo(meaning);
      assertThat(Route.optional().statuses(Map.of(status, meaning)).meaningOf(status))
          .isEqualTo(meaning);
    }
    assertThat(Route.optional().status(200, Meaning.UNKNOWN).statuses(Map.of()).meaningOf(200))
        .as("more is added to what was said before")
        .isEqualTo(Meaning.UNKNOWN);
  }
}
