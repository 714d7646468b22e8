package io.onceward;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;

class FingerprintTest {
  @Test
  void isTheDigestOfOperationAndPayloadWithTheirLengths() {
    assertThat(of("put", "x=1")).hasToString("f2db4fe53df9a6a7");
    assertThat(of("größer", "")).hasToString("279f01884017abfa");
  }

  @Test
  void differsWhenOperationOrPayloadOrTheirBorderDoes() {
    assertThat(of("put", "x=1"))
        .isEqualTo(of("put", "x=1"))
        .isNotEqualTo(of("get", "x=1"))
        .isNotEqualTo(of("put", "x=2"))
        .isNotEqualTo(of("putx", "=1"));
  }

  @Test
  void operationsThatUtf8CannotTellApartAreRefused() {
    assertThatThrownBy(() -> of("put\ud83d", "x=1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lone surrogate at index 3");
  }

  @Test
  void operationsOfAnyLengthHaveAFingerprint() {
    assertThat(of("x".repeat(1000), "")).isNotEqualTo(of("x".repeat(999), "x"));
  }

  @Test
  void survivesPrintingAndParsing() {
    long seed = 7;
    Random random = new Random(seed);
    for (int draw = 0; draw < 1000; draw++) {
      Fingerprint fingerprint = new Fingerprint(random.nextLong() >> random.nextInt(64));
      assertThat(fingerprint.toString()).hasSize(16);
      assertThat(Fingerprint.parse(fingerprint.toString()))
          .as("seed %d, draw %d", seed, draw)
          .isEqualTo(fingerprint);
    }
    assertThat(Fingerprint.parse("00000000000000AB")).isEqualTo(new Fingerprint(0xab));
  }

  @Test
  void whatIsNotSixteenHexDigitsIsRefused() {
    assertRefused("", "16 hexadecimal digits", "got 0 characters");
    assertRefused("0123456789abcde", "16 hexadecimal digits", "got 15 characters");
    assertRefused("0123456789abcdef0", "got 17 characters");
    assertRefused("0123456789abcdeg", "\"g\" at index 15");
    assertRefused("-123456789abcdef", "\"-\" at index 0");
    assertThatThrownBy(() -> Fingerprint.parse("f".repeat(100_000)))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .hasSizeLessThan(300);
  }

  private static Fingerprint of(String operation, String payload) {
    return Fingerprint.of(operation, payload.getBytes(UTF_8));
  }

  private static void assertRefused(String printed, String... words) {
    assertThatThrownBy(() -> Fingerprint.parse(printed))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(words);
  }
}
