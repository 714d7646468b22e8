package io.onceward.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Key;
import io.onceward.Scope;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class FittingTest {
  @Test
  void whatFitsStaysAsItIs() {
    for (String text : new String[] {"", "alice", "ü".repeat(64), "a#b", "x".repeat(128)}) {
      assertThat(Fitting.fit(text, 128)).isEqualTo(text);
    }
  }

  @Test
  void longTextsKeepApartAndReadable() {
    String common = "tenant " + "x".repeat(200);
    String one = Fitting.fit(common + "1", 128);
    String two = Fitting.fit(common + "2", 128);
    assertThat(one).isNotEqualTo(two).hasSize(128).contains("tenant xxx");
    assertThat(Fitting.fit("ü".repeat(64) + "a", 128)).startsWith("#");
    assertThat(Fitting.fit("ü".repeat(65), 128).getBytes(StandardCharsets.UTF_8).length)
        .isLessThanOrEqualTo(128);
  }

  @Test
  void whatIsShownIsTheBeginning() {
    assertThat(Fitting.shown(Fitting.fit("alice", 128))).isEqualTo("alice");
    assertThat(Fitting.shown(Fitting.fit("alice " + "x".repeat(200), 128))).startsWith("alice xx");
    assertThat(Fitting.shown(Fitting.fit("#alice", 128))).isEqualTo("#alice");
    assertThat(Fitting.shown("#")).isEmpty();
  }

  @Test
  void nobodyTakesTheShortenedNameOfAnother() {
    String name = "a".repeat(300);
    String shortened = Fitting.fit(name, 128);
    assertThat(Fitting.fit(shortened, 128)).isNotEqualTo(shortened);
    assertThat(Fitting.fit("#", 128)).isNotEqualTo("#");
  }

  @Test
  void loneSurrogatesKeepApartToo() {
    assertThat(new Scope(Fitting.fit("a\ud800", 128)))
        .isNotEqualTo(new Scope(Fitting.fit("a\ud801", 128)));
    assertThat(Fitting.fit("a\ud800", 128)).isNotEqualTo(Fitting.fit("a?", 128));
    assertThat(GuardedId.of(Fitting.fit("\ud800".repeat(500), 128), Key.text("k"))).isNotNull();
  }

  @Test
  void cutsWholeCharacters() {
    assertThat(Fitting.cut("a\ud83d\ude00b", 4)).isEqualTo("a");
    assertThat(Fitting.cut("a\ud83d\ude00b", 5)).isEqualTo("a\ud83d\ude00");
  }
}
