package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.Reply;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The small parts: patterns, media types, stored bytes. */
class PartsOfRequestsTest {
  @Test
  void patternsMatchWholeSegments() {
    RoutePattern pay = RoutePattern.parse("POST /orders/{id}/pay");
    assertThat(pay.matches("POST", "/orders/17/pay")).isTrue();
    assertThat(pay.matches("PATCH", "/orders/17/pay")).isFalse();
    assertThat(pay.matches("POST", "/orders//pay")).isFalse();
    assertThat(pay.matches("POST", "/orders/17/pay/")).isFalse();
    assertThat(pay.matches("POST", "/orders/17")).isFalse();
    assertThat(pay.matches("POST", "/orders/17/pays")).isFalse();
    RoutePattern admin = RoutePattern.parse("/admin/**");
    assertThat(admin.matches("POST", "/admin")).isTrue();
    assertThat(admin.matches("PATCH", "/admin/a/b")).isTrue();
    assertThat(admin.matches("POST", "/administrator")).isFalse();
    assertThat(RoutePattern.parse("/**").matches("POST", "/any/thing")).isTrue();
    assertThat(RoutePattern.parse("/").matches("POST", "/")).isTrue();
    assertThat(RoutePattern.parse("/").matches("POST", "/a")).isFalse();
    assertThatThrownBy(() -> RoutePattern.parse("orders")).hasMessageContaining("orders");
    assertThatThrownBy(() -> RoutePattern.parse("/a/**/b")).hasMessageContaining("at the end");
  }

  @Test
  void ofAMediaTypeOnlyWhatMattersCounts() {
    assertThat(MediaType.parse(null).canonical()).isEmpty();
    assertThat(MediaType.parse("Application/JSON").canonical()).isEqualTo("application/json");
    assertThat(MediaType.parse("text/plain; format=flowed; Charset=\"UTF-8\"").canonical())
        .isEqualTo("text/plain");
    assertThat(MediaType.parse("text/plain;charset=ISO-8859-1").canonical())
        .isEqualTo("text/plain;charset=iso-8859-1");
    assertThat(MediaType.parse("multipart/form-data; boundary=x").canonical())
        .isEqualTo("multipart/form-data");
  }

  @Test
  void storedResponsesComeBackFromTheirBytes() {
    StoredResponse response =
        new StoredResponse(
            404,
            List.of(
                new StoredResponse.Header("Link", "a"),
                new StoredResponse.Header("Link", "ü"),
                new StoredResponse.Header("ETag", "")),
            Bytes.of(new byte[] {0, 1, -1}));
    assertThat(StoredResponse.in(response.toReply())).isEqualTo(response);
    assertThat(response.toReply().kind()).isEqualTo(Reply.Kind.BUSINESS_ERROR);
    assertThat(response.header("etag")).isEmpty();
    assertThat(response.header("location")).isNull();
    assertThat(StoredResponse.of(200, "text/plain", "").toReply().kind()).isEqualTo(Reply.Kind.OK);
  }

  @Test
  void otherBytesAreNoResponse() {
    assertThat(StoredResponse.in(Reply.REPLY_TOO_LARGE)).isNull();
    assertThat(StoredResponse.in(Reply.ok("hello"))).isNull();
    assertThat(StoredResponse.in(Reply.ok(""))).isNull();
    byte[] bytes = StoredResponse.of(201, "text/plain", "").toReply().bytes().toArray();
    for (int length = 0; length < bytes.length; length++) {
      assertThat(StoredResponse.in(Reply.ok(Bytes.of(bytes, 0, length)))).isNull();
    }
  }

  @Test
  void formsAreReadInTheirCharset() {
    byte[] form = "a=%E4&b=ä".getBytes(StandardCharsets.ISO_8859_1);
    Map<String, String[]> read = FormParameters.of(Map.of(), form, StandardCharsets.ISO_8859_1);
    assertThat(read.get("a")).containsExactly("ä");
    assertThat(read.get("b")).containsExactly("ä");
  }

  @Test
  void cookiesAndWhatBelongsToAConnectionAreNeverStored() {
    for (String never : List.of("Set-Cookie", "transfer-encoding", "Content-Length", "DATE")) {
      assertThatThrownBy(() -> IdempotencyFilter.inMemory().storeHeaders(never))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(never);
    }
  }
}
