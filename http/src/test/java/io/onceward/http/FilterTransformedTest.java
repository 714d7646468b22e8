package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.Filter;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Bodies that a filter in front inflates or decodes: their Content-Length is that of others. */
class FilterTransformedTest {
  /** What a filter in front does to the bytes. */
  private interface Transformation {
    InputStream of(InputStream sent) throws IOException;
  }

  private static Filter by(Transformation transformation) {
    return (request, response, chain) ->
        chain.doFilter(new Transformed((HttpServletRequest) request, transformation), response);
  }

  private static final Served.Handler TELLS_LENGTH =
      (request, response, run) ->
          response
              .getWriter()
              .print("run " + run + " saw " + request.getInputStream().readAllBytes().length);

  private static Served behind(Container container, Transformation transformation)
      throws Exception {
    return Served.by(
        container,
        f -> f.otherwise(Route.optional().maxRequestBytes(10_000)),
        new Served.Setup().between(by(transformation)).handler(TELLS_LENGTH));
  }

  private static HttpResponse<String> send(Served served, String key, byte[] body)
      throws Exception {
    HttpRequest.Builder request = served.request("/import").header("Content-Type", "text/csv");
    return served.send(
        request.header("Idempotency-Key", key).POST(BodyPublishers.ofByteArray(body)));
  }

  @OnEachServer
  void anInflatedBodyArrivesWhole(Container container) throws Exception {
    try (Served served = behind(container, GZIPInputStream::new)) {
      String pays = "pay 1\n".repeat(1000);
      HttpResponse<String> first = send(served, "k1", zipped(pays));
      assertThat(first.body()).isEqualTo("run 1 saw 6000");
      assertThat(send(served, "k1", zipped(pays)).body()).isEqualTo("run 1 saw 6000");
      assertThat(send(served, "k1", zipped(pays.substring(6) + "pay 2\n")).statusCode())
          .as("only the end differs")
          .isEqualTo(422);
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void theLimitHoldsForTheInflatedBody(Container container) throws Exception {
    try (Served served = behind(container, GZIPInputStream::new)) {
      assertThat(send(served, "k1", zipped("x".repeat(10_000))).body()).endsWith("saw 10000");
      HttpResponse<String> larger = send(served, "k2", zipped("x".repeat(10_001)));
      assertThat(larger.statusCode()).isEqualTo(413);
      assertThat(larger.body()).contains("body-too-large");
    }
  }

  @OnEachServer
  void aBodyThatShrinksArrives(Container container) throws Exception {
    try (Served served = behind(container, sent -> Base64.getMimeDecoder().wrap(sent))) {
      for (int copy = 0; copy < 2; copy++) {
        HttpResponse<String> answer = send(served, "k1", base64("pay 1"));
        assertThat(answer.body()).isEqualTo("run 1 saw 5");
        assertThat(Served.isReplay(answer)).isEqualTo(copy == 1);
      }
      assertThat(send(served, "k1", base64("pay 2")).statusCode()).isEqualTo(422);
      assertThat(send(served, "k2", base64("x".repeat(9_000))).body())
          .as("12,000 bytes as it is sent")
          .isEqualTo("run 2 saw 9000");
    }
  }

  @OnEachServer
  void aBodyMayShrinkToNothing(Container container) throws Exception {
    try (Served served = behind(container, GZIPInputStream::new)) {
      assertThat(send(served, "k1", zipped("")).body()).isEqualTo("run 1 saw 0");
    }
  }

  /** As filters do that decode a body into an array, and say truly when it is at its end. */
  @OnEachServer
  void aDecodedArrayMayBeEmpty(Container container) throws Exception {
    Filter decodes =
        (request, response, chain) ->
            chain.doFilter(new Decoded((HttpServletRequest) request), response);
    try (Served served =
        Served.by(
            container, any -> any, new Served.Setup().between(decodes).handler(TELLS_LENGTH))) {
      for (int copy = 0; copy < 2; copy++) {
        HttpResponse<String> answer = send(served, "k1", zipped(""));
        assertThat(answer.body()).isEqualTo("run 1 saw 0");
        assertThat(Served.isReplay(answer)).isEqualTo(copy == 1);
      }
      assertThat(send(served, "k1", zipped("pay 1")).statusCode()).isEqualTo(422);
      assertThat(served.runs).hasValue(1);
    }
  }

  /** A wrapper that keeps what it read for itself must not make two requests look the same. */
  @OnEachServer
  void aBodyReadThroughAWrapperBeforeIsNotTakenForEmpty(Container container) throws Exception {
    try (Served served =
        Served.by(
            container,
            any -> any,
            new Served.Setup()
                .between(
                    (request, response, chain) -> {
                      var wrapped = new Transformed((HttpServletRequest) request, sent -> sent);
                      wrapped.getInputStream().readAllBytes();
                      chain.doFilter(wrapped, response);
                    })
                .handler(TELLS_LENGTH))) {
      assertThat(send(served, "k1", base64("pay 1")).statusCode()).isEqualTo(500);
      assertThat(served.runs).hasValue(0);
    }
  }

  private static byte[] zipped(String text) throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return zipped.toByteArray();
  }

  private static byte[] base64(String text) {
    return Base64.getEncoder().encode(text.getBytes(StandardCharsets.UTF_8));
  }

  private static final class Decoded extends HttpServletRequestWrapper {
    private final byte[] body;

    Decoded(HttpServletRequest request) throws IOException {
      super(request);
      body = new GZIPInputStream(request.getInputStream()).readAllBytes();
    }

    @Override
    public ServletInputStream getInputStream() {
      return new BodyStream(body, any -> {});
    }
  }

  private static final class Transformed extends HttpServletRequestWrapper {
    private final Transformation transformation;
    private ServletInputStream stream;

    Transformed(HttpServletRequest request, Transformation transformation) {
      super(request);
      this.transformation = transformation;
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
      if (stream == null) {
        ServletInputStream sent = super.getInputStream();
        stream = new Stream(transformation.of(sent), sent);
      }
      return stream;
    }
  }

  private static final class Stream extends ServletInputStream {
    private final InputStream in;
    private final ServletInputStream sent;

    Stream(InputStream in, ServletInputStream sent) {
      this.in = in;
      this.sent = sent;
    }

    @Override
    public int read() throws IOException {
      return in.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return in.read(bytes, offset, length);
    }

    @Override
    public boolean isFinished() {
      return sent.isFinished();
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {}
  }
}
