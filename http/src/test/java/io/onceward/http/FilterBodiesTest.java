package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;

/** The body is read for its fingerprint, and the application reads it all the same. */
class FilterBodiesTest {
  private static final Served.Handler ECHOES =
      (request, response, run) -> {
        byte[] body = request.getInputStream().readAllBytes();
        response.setContentType("application/octet-stream");
        response.getOutputStream().write(body);
      };

  private static final Served.Handler TELLS_PARAMETERS =
      (request, response, run) -> {
        StringBuilder told = new StringBuilder("run " + run);
        new TreeMap<>(request.getParameterMap())
            .forEach(
                (name, values) ->
                    told.append(' ').append(name).append('=').append(String.join("|", values)));
        response.setContentType("text/plain;charset=UTF-8");
        response.getWriter().print(told);
      };

  @OnEachServer
  void theApplicationReadsTheSameBytes(Container container) throws Exception {
    byte[] bytes = new byte[100_000];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i * 31 >> 3);
    }
    try (Served served =
        Served.by(
            container,
            f -> f.maxResponseBytes(200_000),
            (request, response, run) -> {
              byte[] body = request.getInputStream().readAllBytes();
              response.getWriter().print(java.util.Arrays.equals(body, bytes));
            })) {
      var whole =
          served
              .request("/")
              .header("Idempotency-Key", "k1")
              .POST(BodyPublishers.ofByteArray(bytes));
      var chunked =
          served
              .request("/")
              .header("Idempotency-Key", "k1")
              .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes)));
      assertThat(served.send(whole).body()).isEqualTo("true");
      assertThat(Served.isReplay(served.send(chunked))).as("however it is sent").isTrue();
      assertThat(served.send(chunked.setHeader("Idempotency-Key", "k2")).body()).isEqualTo("true");
    }
  }

  @OnEachServer
  void theApplicationReadsTheSameText(Container container) throws Exception {
    try (Served served =
        Served.by(
            container,
            (request, response, run) -> {
              response.setContentType("text/plain;charset=UTF-8");
              response.getWriter().print(request.getReader().readLine());
            })) {
      var utf8 =
          served
              .request("/")
              .header("Idempotency-Key", "k1")
              .header("Content-Type", "text/plain;charset=utf-8")
              .POST(BodyPublishers.ofString("zwölf €"));
      assertThat(served.send(utf8).body()).isEqualTo("zwölf €");
    }
  }

  @OnEachServer
  void aBodyTooLargeToCompareIsRefused(Container container) throws Exception {
    try (Served served =
        Served.by(container, f -> f.otherwise(Route.optional().maxRequestBytes(10)), ECHOES)) {
      HttpResponse<String> announced = served.post("/", "k1", "01234567890");
      assertThat(announced.statusCode()).isEqualTo(413);
      assertThat(announced.body())
          .contains("urn:onceward:problem:body-too-large")
          .contains("11 bytes, 10 are allowed");
      var chunked =
          served
              .request("/")
              .header("Idempotency-Key", "k1")
              .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[11])));
      assertThat(served.send(chunked).statusCode()).isEqualTo(413);
      assertThat(served.runs).hasValue(0);
      assertThat(served.post("/", "k1", "0123456789").statusCode()).isEqualTo(200);
    }
  }

  @OnEachServer
  void formParametersArriveAndCount(Container container) throws Exception {
    try (Served served = Served.by(container, TELLS_PARAMETERS)) {
      HttpRequest.Builder form = form(served, "a=1&b=zw%C3%B6lf+%26&a=2&c&d=%zz");
      String expected = "run 1 a=0|1|2 b=zwölf & c= d=%zz";
      assertThat(served.send(form).body()).isEqualTo(expected);
      HttpResponse<String> retry = served.send(form);
      assertThat(retry.body()).isEqualTo(expected);
      assertThat(Served.isReplay(retry)).isTrue();
      assertThat(served.send(form(served, "a=1")).statusCode()).isEqualTo(422);
    }
  }

  /** The container counts them too, but here they are read in its place. */
  @OnEachServer
  void aFormOfTooManyParametersIsRefused(Container container) throws Exception {
    String most = "a=&".repeat(999) + "&&a";
    try (Served served =
        Served.by(
            container,
            f ->
                f.route("POST /few", Route.optional().maxParameters(2))
                    .route("POST /hook", Route.optional().keyFrom(KeySource.json("id"))),
            (request, response, run) ->
                response.getWriter().print(request.getParameterValues("a").length))) {
      assertThat(served.send(form(served, "/", most)).body()).isEqualTo("1000");
      for (String path : new String[] {"/", "/hook"}) {
        HttpResponse<String> refused = served.send(form(served, path, most + "&c"));
        assertThat(refused.statusCode()).as(path).isEqualTo(413);
        assertThat(refused.body())
            .contains("urn:onceward:problem:body-too-large")
            .contains("1000 parameters");
      }
      assertThat(served.send(form(served, "/few", "a&b&c")).statusCode()).isEqualTo(413);
      assertThat(served.send(form(served, "/few", "a&a")).body()).isEqualTo("2");
      assertThat(served.runs).hasValue(2);
    }
  }

  @OnEachServer
  void aFormThatSomebodyReadBeforeIsStillCompared(Container container) throws Exception {
    Served.Setup setup =
        new Served.Setup()
            .handler(TELLS_PARAMETERS)
            .between(
                (request, response, chain) -> {
                  request.getParameter("a");
                  chain.doFilter(request, response);
                });
    try (Served served = Served.by(container, f -> f, setup)) {
      assertThat(served.send(form(served, "a=1")).body()).isEqualTo("run 1 a=0|1");
      assertThat(Served.isReplay(served.send(form(served, "a=1")))).isTrue();
      assertThat(served.send(form(served, "a=2")).statusCode()).isEqualTo(422);
    }
  }

  @OnEachServer
  void aBodyThatSomebodyReadBeforeIsNotTakenForEmpty(Container container) throws Exception {
    Served.Setup setup =
        new Served.Setup()
            .between(
                (request, response, chain) -> {
                  request.getInputStream().readAllBytes();
                  chain.doFilter(request, response);
                });
    try (Served served = Served.by(container, f -> f, setup)) {
      assertThat(served.post("/", "k1", "{}").statusCode()).isEqualTo(500);
      assertThat(served.runs).hasValue(0);
    }
  }

  @OnEachServer
  void multipartIsNotExecutedTwiceThoughEachCopyDrawsItsOwnBoundary(Container container)
      throws Exception {
    Served.Setup setup =
        new Served.Setup()
            .multipart(new MultipartConfigElement("", 1 << 20, 1 << 20, 100))
            .handler(
                (request, response, run) -> {
                  Part file = request.getPart("file");
                  response.setContentType("text/plain;charset=UTF-8");
                  response
                      .getWriter()
                      .print(
                          "run "
                              + run
                              + " "
                              + request.getParameter("note")
                              + " "
                              + file.getSubmittedFileName()
                              + " "
                              + file.getSize()
                              + " "
                              + new String(
                                  file.getInputStream().readNBytes(5), StandardCharsets.UTF_8));
                });
    try (Served served = Served.by(container, f -> f, setup)) {
      String big = "hello".repeat(1000);
      String expected = "run 1 a note x.txt 5000 hello";
      assertThat(served.send(multipart(served, "k1", "B1", big)).body()).isEqualTo(expected);
      HttpResponse<String> retry = served.send(multipart(served, "k1", "another", big));
      assertThat(retry.body()).isEqualTo(expected);
      assertThat(Served.isReplay(retry)).isTrue();
      assertThat(served.send(multipart(served, "k1", "B1", big + "!")).statusCode()).isEqualTo(422);
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void multipartThatTheApplicationParsesItselfIsGuardedByItsBytes(Container container)
      throws Exception {
    try (Served served = Served.by(container, ECHOES)) {
      HttpResponse<String> first = served.send(multipart(served, "k1", "B1", "hello"));
      assertThat(first.body()).startsWith("--B1").contains("hello");
      assertThat(Served.isReplay(served.send(multipart(served, "k1", "B1", "hello")))).isTrue();
      assertThat(served.send(multipart(served, "k1", "B1", "other")).statusCode()).isEqualTo(422);
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void multipartOverTheContainersLimitIsRefused(Container container) throws Exception {
    Served.Setup setup =
        new Served.Setup()
            .multipart(new MultipartConfigElement("", 100, 100, 0))
            .handler((request, response, run) -> parts(request));
    try (Served served = Served.by(container, f -> f, setup)) {
      HttpResponse<String> refused =
          served.send(multipart(served, "k1", "B1", "hello".repeat(100)));
      assertThat(refused.statusCode()).isEqualTo(413);
      assertThat(served.runs).hasValue(0);
    }
  }

  private static void parts(HttpServletRequest request) throws Exception {
    request.getParts();
  }

  private static HttpRequest.Builder form(Served served, String body) {
    return form(served, "/form?a=0", body);
  }

  private static HttpRequest.Builder form(Served served, String path, String body) {
    return served
        .request(path)
        .header("Idempotency-Key", "k1")
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(BodyPublishers.ofString(body));
  }

  private static HttpRequest.Builder multipart(
      Served served, String key, String boundary, String content) {
    String body =
        "--"
            + boundary
            + "\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\na note\r\n--"
            + boundary
            + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x.txt\"\r\n"
            + "Content-Type: text/plain\r\n\r\n"
            + content
            + "\r\n--"
            + boundary
            + "--\r\n";
    return served
        .request("/upload")
        .header("Idempotency-Key", key)
        .header("Content-Type", "multipart/form-data; boundary=" + boundary)
        .POST(BodyPublishers.ofString(body));
  }
}
