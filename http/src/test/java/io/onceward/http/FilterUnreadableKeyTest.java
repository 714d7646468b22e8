package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Bodies in which an application finds a key that the filter might miss: they never pass unguarded,
 * though the route asks for no key.
 */
class FilterUnreadableKeyTest {
  private static final Served.Handler COUNTS =
      (request, response, run) -> {
        int length = request.getInputStream().readAllBytes().length;
        response.getWriter().print("run " + run + " of " + length);
      };

  private static Map<String, byte[]> bodies() {
    String json = "{\"id\":\"evt_1\",\"to\":\"Zoë\"}";
    Map<String, byte[]> bodies = new LinkedHashMap<>();
    for (String encoding : new String[] {"UTF-8", "UTF-16BE", "UTF-16LE", "UTF-32BE", "UTF-32LE"}) {
      Charset charset = Charset.forName(encoding);
      bodies.put(encoding, json.getBytes(charset));
      bodies.put(encoding + " with a mark", ("\ufeff" + json).getBytes(charset));
    }
    bodies.put("nested", utf8("{\"id\":1,\"x\":" + "[".repeat(80) + "]".repeat(80) + "}"));
    bodies.put("exponent", utf8("{\"id\":1,\"x\":1e1234567890123456}"));
    bodies.put("more behind it", utf8(json + " {}"));
    bodies.put("Latin-1", json.getBytes(StandardCharsets.ISO_8859_1));
    bodies.put("EBCDIC", json.getBytes(Charset.forName("IBM037")));
    return bodies;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @OnEachServer
  void noBodyWithAKeyRunsTwice(Container container) throws Exception {
    for (Map.Entry<String, byte[]> body : bodies().entrySet()) {
      try (Served served =
          Served.by(
              container,
              f -> f.otherwise(Route.optional().keyFrom(KeySource.json("id"))),
              COUNTS)) {
        HttpRequest.Builder hook =
            served
                .request("/hook")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(body.getValue()));
        HttpResponse<String> first = served.send(hook);
        HttpResponse<String> again = served.send(hook);
        assertThat(again.body()).as(body.getKey()).isEqualTo(first.body());
        assertThat(again.statusCode()).isEqualTo(first.statusCode());
        if (body.getKey().startsWith("UTF")) {
          assertThat(first.body()).isEqualTo("run 1 of " + body.getValue().length);
          assertThat(Served.isReplay(again)).isTrue();
        } else {
          assertThat(first.statusCode()).as(body.getKey()).isEqualTo(400);
          assertThat(first.body()).contains("urn:onceward:problem:malformed-key");
          assertThat(served.runs).hasValue(0);
        }
      }
    }
  }

  @OnEachServer
  void aRefusalNamesTheLimit(Container container) throws Exception {
    try (Served served =
        Served.by(
            container, f -> f.otherwise(Route.optional().keyFrom(KeySource.json("id"))), COUNTS)) {
      var deep = served.request("/hook").POST(BodyPublishers.ofByteArray(bodies().get("nested")));
      assertThat(served.send(deep).body())
          .contains("nested over 64 levels")
          .doesNotContain("string in quotes");
    }
  }

  /** A route of all requests also gets uploads, which have no key. */
  @OnEachServer
  void whatIsSaidToBeNoJsonPasses(Container container) throws Exception {
    try (Served served =
        Served.by(
            container, f -> f.otherwise(Route.optional().keyFrom(KeySource.json("id"))), COUNTS)) {
      byte[] image = {(byte) 0x89, 'P', 'N', 'G', (byte) 0xff};
      var upload =
          served
              .request("/upload")
              .header("Content-Type", "image/png")
              .POST(BodyPublishers.ofByteArray(image));
      assertThat(served.send(upload).body()).isEqualTo("run 1 of 5");
      assertThat(served.send(upload).body()).isEqualTo("run 2 of 5");
    }
  }
}
