package io.onceward.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.Charset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {
  private static String canonical(String json) {
    byte[] canonical = JsonText.canonical(json.getBytes(UTF_8));
    return canonical == null ? null : new String(canonical, UTF_8);
  }

  private static String find(String json, String path) throws MalformedKeyException {
    return JsonText.find(json.getBytes(UTF_8), MediaType.NONE, JsonPath.parse(path));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      quoteCharacter = '`',
      value = {
        "1 1.0",
        "1 10e-1",
        "1 0.001E+3",
        "-0 0",
        "0 0e999999999999999",
        "120 1.2e2",
        "-1.50 -15e-1",
        "\"a\" \"\\u0061\"",
        "\"/\" \"\\/\"",
        "\"\u20ac\" \"\\u20AC\"",
        "{\"a\":1,\"b\":2} {\"b\":2,\"a\":1}",
        "[{\"a\":1,\"b\":[]}] [{\"b\":[],\"a\":1.0}]",
      })
  void spellingDoesNotCount(String one, String other) {
    assertThat(canonical(one)).isNotNull().isEqualTo(canonical(other));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      quoteCharacter = '`',
      value = {
        "1 -1",
        "1 10",
        "1 \"1\"",
        "1 [1]",
        "12 1.2",
        "9007199254740993 9007199254740992",
        "[1,2] [2,1]",
        "[12] [1,2]",
        "[[1],2] [[1,2]]",
        "[] {}",
        "{\"a\":null} {}",
        "{\"a\":1} {\"a\":1,\"a\":1}",
        "{\"a\":1,\"a\":2} {\"a\":2,\"a\":1}",
        "{\"a\":{\"b\":1}} {\"a\":{},\"b\":1}",
        "\"a\" \"A\"",
        "true false",
        "null false",
      })
  void contentCounts(String one, String other) {
    assertThat(canonical(one)).isNotNull().isNotEqualTo(canonical(other));
    assertThat(canonical(other)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[1,]",
        "{\"a\":1,}",
        "{a:1}",
        "'a'",
        "01",
        "1.",
        ".5",
        "+1",
        "1e",
        "--1",
        "\"a",
        "\"\n\"",
        "\"\\x\"",
        "\"\\u12g4\"",
        "nul",
        "NaN",
        "1 2",
        "{\"a\" 1}",
        "[1 2]",
        "1e9999999999999999",
        "{\"a\":}",
        "-"
      })
  void otherTextsAreNoJson(String text) {
    assertThat(canonical(text)).isNull();
  }

  @Test
  void theCanonicalFormIsJsonAndItsOwn() {
    String canonical = canonical(" {\"b\": [1.50, true,\"x\\n\"] ,\"a\":{}, \"b\":-0}");
    assertThat(canonical).isEqualTo("{\"a\":{},\"b\":[15e-1,true,\"x\\u000a\"],\"b\":0}");
    assertThat(canonical(canonical)).isEqualTo(canonical);
  }

  @Test
  void bytesThatAreNoUtf8AreNoJson() {
    assertThat(JsonText.canonical(new byte[] {'"', (byte) 0xff, '"'})).isNull();
  }

  @Test
  void whatIsNestedTooDeeplyIsNoJson() {
    assertThat(canonical("[".repeat(64) + "]".repeat(64))).isNotNull();
    assertThat(canonical("[".repeat(100_000) + "]".repeat(100_000))).isNull();
  }

  @Test
  void aPathLeadsToAnId() throws Exception {
    String json = "{\"id\":\"a\",\"data\":{\"odd.name\":[0,{\"id\":12345678901234567890}]}}";
    assertThat(find(json, "id")).isEqualTo("a");
    assertThat(find(json, "$.id")).isEqualTo("a");
    assertThat(find(json, "$['data']['odd.name'][1].id")).isEqualTo("12345678901234567890");
    assertThat(find(json, "data['odd.name'][0]")).isEqualTo("0");
    assertThat(find(json, "data.id")).isNull();
    assertThat(find(json, "id.id")).isNull();
    assertThat(find(json, "[0]")).isNull();
  }

  /** Scalars, and what is no JSON, have no members that anybody could take for a key. */
  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "\ufeff", "no JSON", "a=b&{", "<id>a</id>", "\"{\"", "1 {", "tru"})
  void whatHasNoMembersHasNoKey(String text) throws Exception {
    assertThat(find(text, "id")).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"id\":\"a\"} x",
        "{\"id\":\"a\"",
        " \r\n{'id':'a'}",
        "[{\"id\":\"a\"},]",
        "{\"id\":\"a\",\"x\":NaN}",
        "{/* */\"id\":\"a\"}",
      })
  void whatALenientParserReadsIsRefused(String text) {
    assertThatThrownBy(() -> find(text, "id"))
        .isInstanceOf(MalformedKeyException.class)
        .hasMessageContaining("no JSON");
  }

  @Test
  void whatIsOverALimitIsRefusedByItsName() {
    assertThatThrownBy(() -> find("{\"id\":1,\"x\":" + "[".repeat(65) + "]".repeat(65) + "}", "id"))
        .isInstanceOf(MalformedKeyException.class)
        .hasMessageContaining("64 levels");
    assertThatThrownBy(() -> find("{\"id\":1,\"x\":1e1234567890123456}", "id"))
        .isInstanceOf(MalformedKeyException.class)
        .hasMessageContaining("15 digits");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16BE", "UTF-16LE", "UTF-32BE", "UTF-32LE"})
  void aKeyIsFoundInEachEncodingOfUnicode(String encoding) throws Exception {
    Charset charset = Charset.forName(encoding);
    for (String mark : new String[] {"", "\ufeff"}) {
      for (String json : new String[] {"{\"id\":\"zwölf €\"}", " {\"id\":\"zwölf €\"}"}) {
        byte[] bytes = (mark + json).getBytes(charset);
        assertThat(JsonText.find(bytes, MediaType.NONE, JsonPath.parse("id"))).isEqualTo("zwölf €");
        assertThat(JsonText.canonical(bytes)).isEqualTo(JsonText.canonical(json.getBytes(UTF_8)));
      }
    }
  }

  @Test
  void whatCannotBeDecodedIsRefusedUnlessItIsSaidToBeSomethingElse() throws Exception {
    JsonPath path = JsonPath.parse("id");
    byte[] latin = "{\"id\":\"ü\"}".getBytes(ISO_8859_1);
    byte[] image = {(byte) 0x89, 'P', 'N', 'G', (byte) 0xff};
    for (String type :
        new String[] {"", "application/json", "application/ld+json", "text/plain", "image/png"}) {
      assertThatThrownBy(() -> JsonText.find(latin, MediaType.parse(type), path))
          .as(type)
          .isInstanceOf(MalformedKeyException.class)
          .hasMessageContaining("no text in UTF-8");
    }
    assertThatThrownBy(() -> JsonText.find(image, MediaType.parse("application/json"), path))
        .isInstanceOf(MalformedKeyException.class);
    assertThat(JsonText.find(image, MediaType.parse("image/png"), path)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "$", ".a", "a.", "a..b", "a[", "a[x]", "a[-1]", "$a", "a['b"})
  void otherTextsAreNoPaths(String path) {
    assertThatThrownBy(() -> JsonPath.parse(path))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("data.object.id");
  }
}
