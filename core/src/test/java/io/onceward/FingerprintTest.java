package io.onceward;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
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
  void ofAPayloadIsXxh64AsPublished() {
    assertThat(ofPayload("")).hasToString("ef46db3751d8e999");
    assertThat(ofPayload("a")).hasToString("d24ec4f1a98c6e5b");
    assertThat(ofPayload("abc")).hasToString("44bc2cf5ad770999");
    assertThat(ofPayload("xxhash")).hasToString("32dd38952c4bc720");
    assertThat(ofPayload("Nobody inspects the spammish repetition"))
        .hasToString("fbcea83c8a378bf1");
  }

  @Test
  void ofAPayloadDiffersWithEachBitOfIt() {
    byte[] payload = new byte[77];
    new Random(3).nextBytes(payload);
    Set<Fingerprint> seen = new HashSet<>();
    seen.add(Fingerprint.ofPayload(Bytes.of(payload)));
    for (int bit = 0; bit < payload.length * 8; bit++) {
      byte[] other = payload.clone();
      other[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(seen.add(Fingerprint.ofPayload(Bytes.of(other)))).as("bit %d", bit).isTrue();
    }
    assertThat(Fingerprint.ofPayload(Bytes.of(payload, 5, 40)))
        .isEqualTo(Fingerprint.ofPayload(Bytes.of(Bytes.of(payload, 5, 40).toArray())));
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

  private static Fingerprint ofPayload(String payload) {
    return Fingerprint.ofPayload(Bytes.utf8(payload));
  }

  private static void assertRefused(String printed, String... words) {
    assertThatThrownBy(() -> Fingerprint.parse(printed))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(words);
  }
}
