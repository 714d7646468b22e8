package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ForkJoinPool;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every way to answer, of every kind of body and status: the replay is the first answer, in status,
 * headers and bytes, as it stands on the wire.
 */
class FilterMatrixTest {
  /** What is answered. */
  private record Content(String name, int status, Answer answer) {
    @Override
    public String toString() {
      return name;
    }
  }

  private interface Answer {
    void write(HttpServletResponse response) throws Exception;
  }

  /** From where it is answered. */
  private enum Way {
    AT_ONCE {
      @Override
      void answer(HttpServletRequest request, HttpServletResponse response, Answer answer)
          throws Exception {
        answer.write(response);
      }
    },
    FLUSHED {
      @Override
      void answer(HttpServletRequest request, HttpServletResponse response, Answer answer)
          throws Exception {
        answer.write(response);
        response.flushBuffer();
      }
    },
    FROM_ANOTHER_THREAD {
      @Override
      void answer(HttpServletRequest request, HttpServletResponse response, Answer answer) {
        AsyncContext async = request.startAsync();
        ForkJoinPool.commonPool()
            .execute(
                () -> {
                  try {
                    answer.write((HttpServletResponse) async.getResponse());
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                  async.complete();
                });
      }
    },
    IN_A_DISPATCH {
      @Override
      void answer(HttpServletRequest request, HttpServletResponse response, Answer answer)
          throws Exception {
        if (request.getAttribute("dispatched") == null) {
          request.setAttribute("dispatched", true);
          AsyncContext async = request.startAsync();
          async.start(async::dispatch);
        } else {
          answer.write(response);
        }
      }
    };

    abstract void answer(HttpServletRequest request, HttpServletResponse response, Answer answer)
        throws Exception;
  }

  private static final List<Content> CONTENTS =
      List.of(
          new Content("nothing", 200, response -> {}),
          new Content("no content", 204, response -> response.setStatus(204)),
          new Content("text", 200, response -> text(response, "text/plain;charset=UTF-8", "käse")),
          new Content(
              "Latin-1", 200, response -> text(response, "text/plain;charset=ISO-8859-1", "käse")),
          new Content("text of no type", 200, response -> response.getWriter().print("plain")),
          new Content("JSON", 201, response -> json(response, 201, "{\"a\":1.00}")),
          new Content(
              "bytes",
              200,
              response -> {
                response.setContentType("application/octet-stream");
                response.getOutputStream().write(new byte[] {0, -1, 13, 10, 127});
              }),
          new Content(
              "zipped",
              200,
              response -> {
                response.setContentType("text/plain");
                response.setHeader("Content-Encoding", "gzip");
                try (GZIPOutputStream out = new GZIPOutputStream(response.getOutputStream())) {
                  out.write("x".repeat(5000).getBytes(StandardCharsets.US_ASCII));
                }
              }),
          new Content(
              "with a length",
              200,
              response -> {
                response.setContentLength(5);
                response.getOutputStream().write("hello".getBytes(StandardCharsets.US_ASCII));
              }),
          new Content(
              "the largest that is kept",
              200,
              response -> response.getOutputStream().write(new byte[64 << 10])),
          new Content(
              "a created thing",
              201,
              response -> {
                response.setHeader("Location", "/things/1");
                response.setHeader("ETag", "W/\"1\"");
                response.setDateHeader("Last-Modified", 1_700_000_000_000L);
                response.setHeader("Cache-Control", "no-store");
                json(response, 201, "{}");
              }),
          new Content(
              "several values",
              200,
              response -> {
                response.addHeader("Link", "</1>; rel=\"next\"");
                response.addHeader("Link", "</9>; rel=\"last\"");
                response.addHeader("Vary", "Accept");
                response.addHeader("Vary", "Origin");
              }),
          new Content("a redirect", 302, response -> response.sendRedirect("/elsewhere")),
          new Content(
              "see other",
              303,
              response -> {
                response.setStatus(303);
                response.setHeader("Location", "/receipt");
              }),
          new Content("an error of the domain", 402, response -> json(response, 402, "{\"no\":1}")),
          new Content("an error that was sent", 404, response -> response.sendError(404, "none")),
          new Content(
              "reset and begun again",
              409,
              response -> {
                response.setHeader("Location", "/wrong");
                response.getWriter().print("wrong");
                response.reset();
                json(response, 409, "{\"right\":1}");
              }),
          new Content(
              "in a language",
              200,
              response -> {
                response.setLocale(Locale.GERMANY);
                text(response, "text/plain;charset=UTF-8", "grün");
              }));

  private static void text(HttpServletResponse response, String type, String text)
      throws IOException {
    response.setContentType(type);
    response.getWriter().print(text);
  }

  private static void json(HttpServletResponse response, int status, String json)
      throws IOException {
    response.setStatus(status);
    response.setContentType("application/json");
    response.getOutputStream().write(json.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @MethodSource("io.onceward.http.FilterMatrixTest#all")
  void theReplayIsTheFirstAnswer(Container container, Way way) throws Exception {
    for (Content content : CONTENTS) {
      try (Served served =
          Served.by(
              container,
              (request, response, run) -> way.answer(request, response, content.answer()))) {
        OnTheWire first = ask(served);
        int runs = served.runs.get();
        OnTheWire replay = ask(served);
        assertThat(first.status()).as("%s", content).isEqualTo(content.status());
        assertThat(first.headers()).doesNotContainKey("idempotent-replayed");
        assertThat(replay.headers().remove("idempotent-replayed"))
            .as("%s", content)
            .isEqualTo(List.of("true"));
        assertThat(replay.status()).as("%s", content).isEqualTo(first.status());
        assertThat(replay.headers()).as("%s", content).isEqualTo(first.headers());
        assertThat(replay.body()).as("%s", content).isEqualTo(first.body());
        assertThat(served.runs).as("%s", content).hasValue(runs);
      }
    }
  }

  static List<Object[]> all() {
    List<Object[]> all = new ArrayList<>();
    for (Container container : Container.values()) {
      for (Way way : Way.values()) {
        all.add(new Object[] {container, way});
      }
    }
    return all;
  }

  /**
   * An answer as it came.
   *
   * @param headers by name in lower case; without those that belong to one exchange
   */
  @SuppressWarnings("ArrayRecordComponent")
  private record OnTheWire(int status, Map<String, List<String>> headers, byte[] body) {}

  private static OnTheWire ask(Served served) throws IOException {
    try (Socket socket = served.socket()) {
      socket.getOutputStream().write(Served.rawPost("/any", "k1", "{}"));
      InputStream in = new BufferedInputStream(socket.getInputStream());
      int status =
          Integer.parseInt(line(in).substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length()));
      Map<String, List<String>> headers = new TreeMap<>();
      for (String line = line(in); !line.isEmpty(); line = line(in)) {
        int colon = line.indexOf(':');
        headers
            .computeIfAbsent(
                line.substring(0, colon).toLowerCase(Locale.ROOT), any -> new ArrayList<>())
            .add(line.substring(colon + 1).trim());
      }
      headers.remove("date");
      return new OnTheWire(status, headers, body(in, status, headers));
    }
  }

  private static byte[] body(InputStream in, int status, Map<String, List<String>> headers)
      throws IOException {
    if (status == 204) {
      return new byte[0];
    }
    if (headers.containsKey("content-length")) {
      return in.readNBytes(Integer.parseInt(headers.get("content-length").get(0)));
    }
    assertThat(headers.get("transfer-encoding")).isEqualTo(List.of("chunked"));
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (int size = size(in); size > 0; size = size(in)) {
      body.write(in.readNBytes(size));
      line(in);
    }
    return body.toByteArray();
  }

  private static int size(InputStream in) throws IOException {
    return Integer.parseInt(line(in), 16);
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("after " + line);
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }
}
