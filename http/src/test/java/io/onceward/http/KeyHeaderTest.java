package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Key;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyHeaderTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"abc\"|abc",
        "abc|abc",
        "  abc\t|abc",
        "\"with space\"|with space",
        "\"a\\\"b\\\\c\"|a\"b\\c",
        "\"a\";v=1|a",
        "\"a\"; v=1;w=\"x;y\";flag;*z=?0|a",
        "`\"a,b;c\"`|a,b;c",
        "AbC/+=._~:|AbC/+=._~:",
      })
  void isRead(String header, String text) throws Exception {
    assertThat(KeyHeader.text(header)).isEqualTo(text);
    assertThat(KeyHeader.parse(header)).isEqualTo(Key.text(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "\"\"",
        "\"",
        "\"open",
        "\"a\"b",
        "\"a\", \"b\"",
        "a, b",
        "a,b",
        "a b",
        "a;v=1",
        "\"a\";",
        "\"a\";V=1",
        "\"a\";v=",
        "\"a\" ;v=1",
        "\"a\\n\"",
        "\"a\\",
        "ä",
        "\"ä\"",
        "a\"b",
        "\"a\u0001\"",
        "a\\b",
        "\"a\";v=\"open"
      })
  void isRefused(String header) {
    assertThatThrownBy(() -> KeyHeader.parse(header)).isInstanceOf(MalformedKeyException.class);
  }

  @Test
  void hasAtMost255Characters() throws Exception {
    assertThat(KeyHeader.text("k".repeat(255))).hasSize(255);
    assertThatThrownBy(() -> KeyHeader.text("k".repeat(256))).hasMessageContaining("256");
    assertThat(KeyHeader.text("\"" + "\\\"".repeat(255) + "\"")).hasSize(255);
  }

  @Test
  void uuidsAndDatedIdsKeepTheirKind() throws Exception {
    UUID uuid = UUID.fromString("01939d2e-7c00-7abc-8def-0123456789ab");
    assertThat(KeyHeader.parse(uuid.toString())).isEqualTo(Key.uuid(uuid));
    assertThat(KeyHeader.parse("\"" + uuid.toString().toUpperCase() + "\""))
        .isEqualTo(Key.uuid(uuid));
    assertThat(KeyHeader.parse(uuid.toString()).isDated()).isTrue();
    Key dated = Key.dated(1_700_000_000_000_000L, 42);
    assertThat(KeyHeader.parse(dated.toString())).isEqualTo(dated);
    assertThat(KeyHeader.parse("d:no-date").isDated()).isFalse();
    assertThat(KeyHeader.parse("01939d2e-7c00-7abc-8def-0123456789aß".replace('ß', 'g')))
        .as("only nearly a UUID")
        .isEqualTo(Key.text("01939d2e-7c00-7abc-8def-0123456789ag"));
  }

  /** Reserved beginnings of printed keys must not let a caller name a digest. */
  @Test
  void aCallersTextIsNeverTakenForADigest() throws Exception {
    for (String text : new String[] {"h:" + "0".repeat(32), "s#" + "0".repeat(32), "s:x"}) {
      assertThat(KeyHeader.parse(text)).isEqualTo(Key.text(text));
    }
  }

  @Test
  void anyPrintableTextSurvivesQuotingAndAnyGarbageIsRefusedOrOneKey() {
    for (long seed = 0; seed < 5_000; seed++) {
      Random random = new Random(seed);
      try {
        quotedAndBack(random);
        garbage(random);
      } catch (Exception | AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  private static void quotedAndBack(Random random) throws MalformedKeyException {
    StringBuilder text = new StringBuilder();
    for (int i = 1 + random.nextInt(40); i > 0; i--) {
      text.append((char) (' ' + random.nextInt(95)));
    }
    String quoted = "\"" + text.toString().replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    assertThat(KeyHeader.text(quoted)).isEqualTo(text.toString());
    assertThat(KeyHeader.text(quoted + ";v=" + random.nextInt())).isEqualTo(text.toString());
  }

  private static void garbage(Random random) {
    String alphabet = "\"\\;=, \tab9-*?é\u0000";
    StringBuilder header = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      header.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    try {
      String text = KeyHeader.text(header.toString());
      assertThat(text).isNotEmpty();
      assertThat(header.toString().strip().startsWith("\"") || header.indexOf(text) >= 0).isTrue();
      assertThat(text.chars()).allMatch(c -> c >= ' ' && c <= '~');
    } catch (MalformedKeyException e) {
      assertThat(e).hasMessageNotContaining("null");
    }
  }
}
