package io.onceward;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class KeyTest {
  private static final String UUID_V4 = "8c5e2b0a-3f0e-4a53-9d6c-0f1c2b3a4d5e";
  private static final String UUID_V7 = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f";
  private static final long SOME_MICROS = 1_794_730_811_123_456L;

  // The bits of each kind.

  @Test
  void uuidKeepsItsBits() {
    Key key = Key.uuid(UUID.fromString(UUID_V4));

    assertThat(key.kind()).isEqualTo(Key.Kind.UUID);
    assertThat(key.high()).isEqualTo(0x8c5e2b0a3f0e4a53L);
    assertThat(key.low()).isEqualTo(0x9d6c0f1c2b3a4d5eL);
    assertThat(key).hasToString(UUID_V4);
  }

  @Test
  void textIsTheDigestOfItsUtf8() {
    assertThat(Key.text("abc"))
        .isEqualTo(Key.of(Key.Kind.TEXT, 0xba7816bf8f01cfeaL, 0x414140de5dae2223L));
    assertThat(Key.text("größer \ud83d\ude00"))
        .isEqualTo(Key.of(Key.Kind.TEXT, 0xa551cdacb6c83c7cL, 0x76a11b952ae9c851L));
  }

  @Test
  void contentHashIsTheDigestOfItsPartsWithTheirLengths() {
    assertThat(Key.contentHash(bytes("abc"))).hasToString("h:d04b72a650ce0f8ce4963330a53ee283");
    assertThat(Key.contentHash(bytes("ab"), bytes("c")))
        .hasToString("h:f2939f903016e5bb29b1e4a61cdbd376");
    assertThat(Key.contentHash(bytes(""))).hasToString("h:df3f619804a92fdb4057192dc43dd748");
  }

  @Test
  void contentHashSeesWhereOnePartEnds() {
    assertThat(Key.contentHash(bytes("ab"), bytes("c")))
        .isNotEqualTo(Key.contentHash(bytes("a"), bytes("bc")))
        .isNotEqualTo(Key.contentHash(bytes("abc")))
        .isNotEqualTo(Key.contentHash(bytes("ab"), bytes("c"), bytes("")));
  }

  @Test
  void contentHashOfNothingIsRefused() {
    assertThatThrownBy(Key::contentHash)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least one part");
  }

  // Dates.

  @Test
  void datedKeyTellsItsDate() {
    Key key = Key.dated(SOME_MICROS, -1);

    assertThat(key.isDated()).isTrue();
    assertThat(key.dateMicros()).isEqualTo(SOME_MICROS);
    assertThat(key.low()).isEqualTo(-1);
  }

  @Test
  void uuidOfVersionSevenTellsItsMilliseconds() {
    Key key = Key.parse(UUID_V7); // the example of RFC 9562, 2022-02-22T19:22:22Z

    assertThat(key.isDated()).isTrue();
    assertThat(key.dateMicros()).isEqualTo(1_645_557_742_000_000L);
  }

  @Test
  void greatestDateOfVersionSevenFits() {
    assertThat(Key.parse("ffffffff-ffff-7fff-bfff-ffffffffffff").dateMicros())
        .isEqualTo(281_474_976_710_655_000L);
  }

  @Test
  void otherVersionsAndVariantsHaveNoDate() {
    assertHasNoDate(Key.parse(UUID_V4));
    assertHasNoDate(Key.parse("017f22e2-79b0-6cc3-98c4-dc0c0c07398f"));
    assertHasNoDate(Key.parse("017f22e2-79b0-7cc3-18c4-dc0c0c07398f"));
    assertHasNoDate(Key.parse("017f22e2-79b0-7cc3-58c4-dc0c0c07398f"));
    assertHasNoDate(Key.parse("017f22e2-79b0-7cc3-d8c4-dc0c0c07398f"));
  }

  @Test
  void hashAndTextHaveNoDateWhateverTheirBits() {
    Key dated = Key.parse(UUID_V7);
    assertHasNoDate(Key.of(Key.Kind.HASH, dated.high(), dated.low()));
    assertHasNoDate(Key.of(Key.Kind.TEXT, dated.high(), dated.low()));
  }

  @Test
  void datesEndWithTheYear9999() {
    assertThat(Key.dated(0, 0)).hasToString("d:1970-01-01T00:00:00.000000Z-0000000000000000");
    assertThat(Key.dated(Key.LAST_DATE_MICROS, 1))
        .hasToString("d:9999-12-31T23:59:59.999999Z-0000000000000001");
    assertThatThrownBy(() -> Key.dated(Key.LAST_DATE_MICROS + 1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("9999-12-31")
        .hasMessageContaining("got 253402300800000000");
    assertThatThrownBy(() -> Key.dated(-1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("got -1");
    assertThatThrownBy(() -> Key.of(Key.Kind.DATED, Long.MIN_VALUE, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  // Identity and order.

  @Test
  void kindIsPartOfTheIdentity() {
    Key uuid = Key.of(Key.Kind.UUID, 1, 2);

    assertThat(Key.of(Key.Kind.UUID, 1, 2)).isEqualTo(uuid).hasSameHashCodeAs(uuid);
    assertThat(Key.of(Key.Kind.DATED, 1, 2)).isNotEqualTo(uuid);
    assertThat(Key.of(Key.Kind.HASH, 1, 2)).isNotEqualTo(uuid);
    assertThat(Key.of(Key.Kind.UUID, 2, 2)).isNotEqualTo(uuid);
    assertThat(Key.of(Key.Kind.UUID, 1, 1)).isNotEqualTo(uuid);
  }

  @Test
  void orderIsByKindThenByUnsignedBits() {
    assertThat(
            new Key[] {
              Key.of(Key.Kind.UUID, 0, 1),
              Key.of(Key.Kind.UUID, 0, -1),
              Key.of(Key.Kind.UUID, 1, 0),
              Key.of(Key.Kind.UUID, Long.MIN_VALUE, 0),
              Key.of(Key.Kind.UUID, -1, 0),
              Key.of(Key.Kind.DATED, 0, 0),
              Key.of(Key.Kind.HASH, 0, 0),
              Key.of(Key.Kind.TEXT, 0, 0),
            })
        .isSorted()
        .doesNotHaveDuplicates();
    assertThat(Key.text("abc")).isEqualByComparingTo(Key.parse(digestOfAbc()));
  }

  @Test
  void codesOfKindsStayAsTheyWereStored() {
    assertThat(Key.Kind.UUID.code()).isEqualTo(0);
    assertThat(Key.Kind.DATED.code()).isEqualTo(1);
    assertThat(Key.Kind.HASH.code()).isEqualTo(2);
    assertThat(Key.Kind.TEXT.code()).isEqualTo(3);
    for (Key.Kind kind : Key.Kind.values()) {
      assertThat(Key.Kind.ofCode(kind.code())).isEqualTo(kind);
    }
    for (int unknown : new int[] {-1, 4, 255, Integer.MIN_VALUE}) {
      assertThatThrownBy(() -> Key.Kind.ofCode(unknown))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("code " + unknown)
          .hasMessageContaining("0 (UUID), 1 (DATED), 2 (HASH) and 3 (TEXT)");
    }
  }

  // Printing and parsing.

  @Test
  void eachKindPrintsInItsOwnForm() {
    assertThat(Key.dated(SOME_MICROS, 0x0123456789abcdefL))
        .hasToString("d:2026-11-15T08:20:11.123456Z-0123456789abcdef");
    assertThat(Key.of(Key.Kind.HASH, 0, -1)).hasToString("h:0000000000000000ffffffffffffffff");
    assertThat(Key.text("order 4711")).hasToString("s:order 4711");
    assertThat(Key.of(Key.Kind.TEXT, 0, -1)).hasToString("s#0000000000000000ffffffffffffffff");
  }

  @Test
  void textIsFoundAgainByItsDigest() {
    assertThat(Key.parse(digestOfAbc())).isEqualTo(Key.text("abc")).hasToString(digestOfAbc());
  }

  @Test
  void bareStringIsText() {
    for (String text : new String[] {"abc", "S:abc", "d", "h", "s", "d;x", "1-2-3-4-5", " ", "ä"}) {
      assertThat(Key.parse(text)).isEqualTo(Key.text(text)).hasToString("s:" + text);
    }
  }

  @Test
  void textThatLooksLikeAnotherFormIsWrittenWithItsPrefix() {
    for (String text : new String[] {"s:abc", "s#abc", "h:abc", "d:abc", UUID_V4}) {
      assertThat(Key.parse("s:" + text)).isEqualTo(Key.text(text)).hasToString("s:" + text);
    }
  }

  @Test
  void upperCaseDigitsMeanTheSame() {
    assertThat(Key.parse(UUID_V4.toUpperCase(Locale.ROOT))).isEqualTo(Key.parse(UUID_V4));
    assertThat(Key.parse("h:BA7816BF8F01CFEA414140DE5DAE2223"))
        .isEqualTo(Key.parse("h:ba7816bf8f01cfea414140de5dae2223"));
  }

  @Test
  void randomKeysOfEveryKindSurvivePrintingAndParsing() {
    long seed = 20261115;
    Random random = new Random(seed);
    for (int draw = 0; draw < 40_000; draw++) {
      Key key = randomKey(random);
      Key again = Key.parse(key.toString());
      assertThat(again).as("seed %d, draw %d", seed, draw).isEqualTo(key);
      assertThat(again).as("seed %d, draw %d", seed, draw).hasToString(key.toString());
    }
  }

  @Test
  void garbageIsRefusedOrMakesAKeyThatSurvivesPrinting() {
    long seed = 4711;
    Random random = new Random(seed);
    int refused = 0;
    int taken = 0;
    for (int draw = 0; draw < 60_000; draw++) {
      String garbage = random.nextBoolean() ? damagedKey(random) : randomCharacters(random, 150);
      try {
        Key key = Key.parse(garbage);
        assertThat(Key.parse(key.toString())).as("seed %d, draw %d", seed, draw).isEqualTo(key);
        taken++;
      } catch (IllegalArgumentException e) {
        assertThat(e.getMessage()).as("seed %d, draw %d", seed, draw).hasSizeBetween(20, 600);
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(10_000);
    assertThat(taken).isGreaterThan(10_000);
  }

  // Refusals.

  @Test
  void emptyIdsAreRefused() {
    assertRefused("", "a text key must not be empty", "1 to 128 bytes");
    assertRefused("s:", "a text key must not be empty", "1 to 128 bytes");
    assertThatThrownBy(() -> Key.text("")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void textIsLimitedInBytesNotInCharacters() {
    assertThat(Key.parse("x".repeat(128))).isEqualTo(Key.text("x".repeat(128)));
    assertThat(Key.parse("s:" + "ä".repeat(64))).isEqualTo(Key.text("ä".repeat(64)));
    assertThat(Key.parse("\ud83d\ude00".repeat(32)).kind()).isEqualTo(Key.Kind.TEXT);
    assertRefused("x".repeat(129), "at most 128 bytes", "got 129");
    assertRefused("ä".repeat(64) + "x", "at most 128 bytes", "got 129");
    assertRefused("s:" + "€".repeat(43), "at most 128 bytes", "got 129");
    assertRefused("\ud83d\ude00".repeat(33), "at most 128 bytes", "got 132");
  }

  @Test
  void loneSurrogatesAreRefused() {
    assertRefused("a\ud83d", "lone surrogate at index 1", "\"a\\ud83d\"");
    assertRefused("s:\ude00b", "lone surrogate at index 0");
    assertRefused("\ude00\ud83d", "lone surrogate at index 0");
    assertRefused("\ud83d\ud83d\ude00", "lone surrogate at index 0");
  }

  @Test
  void damagedHexIsRefused() {
    String hash = "h:ba7816bf8f01cfea414140de5dae2223";
    assertRefused(hash + "0", "h: and 32 hexadecimal digits", "got 33 characters");
    assertRefused("h:", "h: and 32 hexadecimal digits", "got 0 characters");
    assertRefused(hash.replace('c', 'g'), "hexadecimal digits", "\"g\" at index 14");
    assertRefused("s#" + "0".repeat(31), "s# and 32 hexadecimal digits", "got 31 characters");
    assertRefused("s#" + "0".repeat(31) + "+", "\"+\" at index 33");
    assertRefused("h:" + "\u0661".repeat(32), "\"\\u0661\" at index 2");
  }

  @Test
  void mistypedUuidIsNotTakenAsText() {
    assertRefused(UUID_V4.replace("8c5e", "8c5o"), "a UUID", "\"o\" at index 3", "s:");
    assertRefused(UUID_V4.replace("4d5e", "4d5-"), "a UUID", "\"-\" at index 35");
  }

  @Test
  void damagedDatesAreRefused() {
    String random = "-0123456789abcdef";
    assertRefused("d:", "has the form d:2026-11-15T08:20:11.123456Z-0123456789abcdef");
    assertRefused("d:2026-11-15T08:20:11.123Z" + random, "has the form");
    assertRefused("d:2026-11-15T08:20:11.123456Z+0123456789abcdef", "has the form");
    assertRefused("d:2026-02-30T08:20:11.123456Z" + random, "UTC to the microsecond", "02-30");
    assertRefused("d:2026-11-15T24:00:00.000000Z" + random, "UTC to the microsecond");
    assertRefused("d:2016-12-31T23:59:60.000000Z" + random, "UTC to the microsecond");
    assertRefused("d:+026-11-15T08:20:11.123456Z" + random, "UTC to the microsecond");
    assertRefused("d:1969-12-31T23:59:59.999999Z" + random, "1970-01-01 to 9999-12-31", "got -1");
    assertRefused("d:2026-11-15T08:20:11.123456Z-0123456789abcdeg", "\"g\" at index 45");
  }

  @Test
  void longInputIsNotEchoedWhole() {
    for (String prefix : new String[] {"", "s:", "h:", "s#", "d:"}) {
      String input = prefix + "x\n".repeat(100_000);
      assertThatThrownBy(() -> Key.parse(input))
          .isInstanceOf(IllegalArgumentException.class)
          .message()
          .hasSizeLessThan(300)
          .contains("characters")
          .doesNotContain("\n");
    }
  }

  private static void assertHasNoDate(Key key) {
    assertThat(key.isDated()).as("%s", key).isFalse();
    assertThatThrownBy(key::dateMicros)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(key.toString());
  }

  private static void assertRefused(String printed, String... words) {
    assertThatThrownBy(() -> Key.parse(printed))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(words);
  }

  private static String digestOfAbc() {
    return "s#ba7816bf8f01cfea414140de5dae2223";
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static Key randomKey(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> Key.uuid(new UUID(random.nextLong(), random.nextLong()));
      case 1 -> Key.dated((random.nextLong() >>> 1) % Key.LAST_DATE_MICROS, random.nextLong());
      case 2 -> Key.contentHash(bytes(randomCharacters(random, 40)));
      case 3 -> Key.of(Key.Kind.TEXT, random.nextLong(), random.nextLong());
      case 4 -> Key.of(Key.Kind.HASH, random.nextInt(3) - 1, random.nextInt(3) - 1);
      default -> randomTextKey(random);
    };
  }

  private static Key randomTextKey(Random random) {
    StringBuilder text = new StringBuilder();
    for (int left = 1 + random.nextInt(32); left > 0; left--) {
      int codePoint = random.nextInt(random.nextBoolean() ? 0x80 : Character.MAX_CODE_POINT + 1);
      boolean lone = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
      text.appendCodePoint(lone ? ':' : codePoint);
    }
    return Key.text(text.toString());
  }

  /** A printed key with a few characters changed, removed or put in. */
  private static String damagedKey(Random random) {
    StringBuilder printed = new StringBuilder(randomKey(random).toString());
    for (int left = 1 + random.nextInt(3); left > 0; left--) {
      int at = random.nextInt(printed.length());
      switch (random.nextInt(3)) {
        case 0 -> printed.setCharAt(at, randomCharacter(random));
        case 1 -> printed.deleteCharAt(at);
        default -> printed.insert(at, randomCharacter(random));
      }
    }
    return printed.toString();
  }

  private static String randomCharacters(Random random, int maxLength) {
    StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(maxLength); left > 0; left--) {
      text.append(randomCharacter(random));
    }
    return text.toString();
  }

  private static char randomCharacter(Random random) {
    String likely = "0123456789abcdefABCDEF-:#dhsTZ.+ \n\0";
    return random.nextInt(50) == 0
        ? (char) random.nextInt(0x10000)
        : likely.charAt(random.nextInt(likely.length()));
  }
}
