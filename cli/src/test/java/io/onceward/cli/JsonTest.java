package io.onceward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {

  @Test
  void everythingThatIsWrittenCanBeRead() {
    Json json =
        new Json()
            .text("text", "a \"quoted\" back\\slash,\nnew line \u0001 and ü 𝄞")
            .text("nothing", null)
            .number("number", Long.MIN_VALUE)
            .flag("flag", true)
            .object("object", new Json().text("a", "b"))
            .objects("objects", List.of(new Json(), new Json().number("x", 1)))
            .texts("texts", List.of("", "x"));
    assertThat(JsonText.object(json.toString()))
        .containsEntry("text", "a \"quoted\" back\\slash,\nnew line \u0001 and ü 𝄞")
        .containsEntry("nothing", "null")
        .containsEntry("number", Long.MIN_VALUE)
        .containsEntry("flag", true)
        .containsEntry("object", Map.of("a", "b"))
        .containsEntry("objects", List.of(Map.of(), Map.of("x", 1L)))
        .containsEntry("texts", List.of("", "x"));
  }

  @Test
  void anotherObjectsMembersCanBeAdded() {
    assertThat(new Json().text("a", "b").and(new Json()).and(new Json().text("c", "d")).toString())
        .isEqualTo("{\"a\":\"b\",\"c\":\"d\"}");
  }
}
