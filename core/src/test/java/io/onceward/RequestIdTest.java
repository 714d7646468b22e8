package io.onceward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.replica.Request;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestIdTest {
  @Test
  void sequencePrintsClusterSessionIncarnationAndNumber() {
    RequestId id =
        new RequestId.OfSequence(
            new Request.Address(0x5f0e4a539d6c0f1cL, 3L << 16, (3L << 16) + 1), 42);
    assertThat(id).hasToString("q:5f0e4a539d6c0f1c-30000-30001-42");
    assertThat(RequestId.parse(id.print())).isEqualTo(id);
  }

  @Test
  void anySequenceSurvivesPrintingAndParsing() {
    Random random = new Random(11);
    for (int draw = 0; draw < 1000; draw++) {
      RequestId id =
          new RequestId.OfSequence(
              new Request.Address(
                  random.nextLong(),
                  random.nextLong() >> random.nextInt(64),
                  random.nextLong() >> random.nextInt(64)),
              Math.max(1, random.nextLong() >>> 1 + random.nextInt(62)));
      assertThat(RequestId.parse(id.print())).as("draw %d", draw).isEqualTo(id);
    }
    RequestId last = new RequestId.OfSequence(new Request.Address(0, 0, 0), Long.MAX_VALUE);
    assertThat(RequestId.parse(last.print())).isEqualTo(last);
  }

  @Test
  void keyWithoutScopePrintsAsTheKey() {
    Key key = Key.dated(1_000_000, 7);
    assertThat(new RequestId.OfKey(Scope.NONE, key)).hasToString(key.toString());
    assertThat(RequestId.parse(key.toString())).isEqualTo(new RequestId.OfKey(Scope.NONE, key));
    assertThat(RequestId.parse("order 4711"))
        .isEqualTo(new RequestId.OfKey(Scope.NONE, Key.text("order 4711")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tenant 7",
        "a/b",
        "100%",
        "%2f",
        "line\nbreak",
        "größer",
        "\u0085",
        "in:x/",
        "\ud83d\ude00"
      })
  void scopeOfAnyTextSurvivesPrintingAndParsing(String scope) {
    RequestId id = new RequestId.OfKey(new Scope(scope), Key.text("in:a/b in q:"));
    assertThat(id.print()).startsWith("in:").doesNotContain("\n");
    assertThat(RequestId.parse(id.print())).isEqualTo(id);
  }

  @Test
  void textKeyThatLooksLikeAnotherIdStaysATextKey() {
    for (String text : new String[] {"q:1-2-3-4", "in:x/y", "order in tenant", "s:x"}) {
      RequestId id = new RequestId.OfKey(Scope.NONE, Key.text(text));
      assertThat(RequestId.parse(id.print())).isEqualTo(id);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "q:",
        "q:5f0e4a539d6c0f1c-30000-30001",
        "q:5f0e4a539d6c0f1c-30000-30001-42-1",
        "q:5f0e4a539d6c0f1c-30000--42",
        "q:5f0e4a539d6c0f1-30000-30001-42",
        "q:5f0e4a539d6c0f1c-3000g-30001-42",
        "q:5f0e4a539d6c0f1c-30000-30001-4x",
        "q:5f0e4a539d6c0f1c-30000-30001-0",
        "q:5f0e4a539d6c0f1c-30000-30001-9223372036854775808",
        "q:5f0e4a539d6c0f1c-00000000000000001-1-1",
        "in:",
        "in:x",
        "in:/s:x",
        "in:x/",
        "in:%/s:x",
        "in:%4/s:x",
        "in:%41/s:x",
        "in:%ff/s:x",
        "in:%é/s:x",
      })
  void whatIsNoIdIsRefusedRatherThanTakenForAnother(String printed) {
    assertThatThrownBy(() -> RequestId.parse(printed)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void sequencesBeginWithOne() {
    assertThatThrownBy(() -> new RequestId.OfSequence(new Request.Address(1, 2, 3), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("begin with 1");
  }
}
