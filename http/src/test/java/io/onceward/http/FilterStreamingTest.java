package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Responses that cannot be held back, and clients that do not wait for theirs. */
class FilterStreamingTest {
  private static Served.Handler writes(int bytes) {
    return (request, response, run) -> {
      response.setContentType("application/octet-stream");
      byte[] kilobyte = new byte[1000];
      for (int written = 0; written < bytes; written += kilobyte.length) {
        response.getOutputStream().write(kilobyte);
      }
    };
  }

  @OnEachServer
  void aLargeResponseIsHandedOutAndItsRetryIsNotExecutedAgain(Container container)
      throws Exception {
    try (Served served = Served.by(container, writes(1_000_000))) {
      HttpResponse<String> first = served.post("/export", "k1", "{}");
      assertThat(first.statusCode()).isEqualTo(200);
      assertThat(first.body()).hasSize(1_000_000);

      HttpResponse<String> retry = served.post("/export", "k1", "{}");
      assertThat(retry.statusCode()).isEqualTo(410);
      assertThat(retry.body())
          .contains("urn:onceward:problem:reply-not-kept")
          .contains("\"executed\":\"yes\"")
          .contains("\"mayResend\":false");
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void theLimitOfWhatIsRememberedIsExact(Container container) throws Exception {
    try (Served served = Served.by(container, f -> f.maxResponseBytes(5000), writes(5000))) {
      served.post("/export", "k1", "{}");
      HttpResponse<String> retry = served.post("/export", "k1", "{}");
      assertThat(retry.statusCode()).isEqualTo(200);
      assertThat(retry.body()).hasSize(5000);
    }
    try (Served served = Served.by(container, f -> f.maxResponseBytes(4999), writes(5000))) {
      assertThat(served.post("/export", "k1", "{}").body()).hasSize(5000);
      assertThat(served.post("/export", "k1", "{}").statusCode()).isEqualTo(410);
    }
  }

  @OnEachServer
  void aFlushDoesNotHandOutWhatIsNotRecorded(Container container) throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    try (Served served =
            Served.by(
                container,
                (request, response, run) -> {
                  response.getOutputStream().print("early");
                  response.flushBuffer();
                  assertThat(response.isCommitted()).isTrue();
                  goOn.await(20, TimeUnit.SECONDS);
                });
        Socket socket = served.socket()) {
      socket.getOutputStream().write(Served.rawPost("/flush", "k1", "{}"));
      Served.await(() -> served.runs.get() == 1);
      socket.setSoTimeout(200);
      org.assertj.core.api.Assertions.assertThatThrownBy(() -> socket.getInputStream().read())
          .isInstanceOf(java.net.SocketTimeoutException.class);
      goOn.countDown();
      socket.setSoTimeout(20_000);
      assertThat(socket.getInputStream().read()).isEqualTo('H');
      assertThat(served.post("/flush", "k1", "{}").body()).isEqualTo("early");
    }
  }

  @OnEachServer
  void anEventStreamIsHandedOutAsItIsWrittenAndReplayedWhenWhole(Container container)
      throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    try (Served served =
            Served.by(
                container,
                (request, response, run) -> {
                  response.setContentType("text/event-stream;charset=UTF-8");
                  response.getWriter().print("data: 1\n\n");
                  response.getWriter().flush();
                  goOn.await(20, TimeUnit.SECONDS);
                  response.getWriter().print("data: 2\n\n");
                });
        Socket socket = served.socket()) {
      socket.getOutputStream().write(Served.rawPost("/events", "k1", "{}"));
      readUntil(socket.getInputStream(), "data: 1\n\n");
      goOn.countDown();
      readUntil(socket.getInputStream(), "data: 2\n\n");
      HttpResponse<String> retry = served.post("/events", "k1", "{}");
      assertThat(retry.body()).isEqualTo("data: 1\n\ndata: 2\n\n");
      assertThat(Served.isReplay(retry)).isTrue();
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void aRouteCanHandOutAsWritten(Container container) throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    try (Served served =
            Served.by(
                container,
                f -> f.route("POST /lines", Route.optional().handedOutAsWritten()),
                (request, response, run) -> {
                  response.getOutputStream().print("one");
                  response.getOutputStream().flush();
                  goOn.await(20, TimeUnit.SECONDS);
                  throw new IllegalStateException("in the middle");
                });
        Socket socket = served.socket()) {
      socket.getOutputStream().write(Served.rawPost("/lines", "k1", "{}"));
      readUntil(socket.getInputStream(), "one");
      goOn.countDown();
      Served.await(() -> !served.filter.guard().unknowns(1).isEmpty());
      assertThat(served.post("/lines", "k1", "{}").statusCode()).isEqualTo(409);
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void aClientThatDisconnectsDoesNotCancelTheRecord(Container container) throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    CountDownLatch left = new CountDownLatch(1);
    try (Served served =
        Served.by(
            container,
            (request, response, run) -> {
              goOn.await(20, TimeUnit.SECONDS);
              response.setStatus(201);
              response.getWriter().print("run " + run);
              left.countDown();
            })) {
      try (Socket socket = served.socket()) {
        socket.setSoLinger(true, 0);
        socket.getOutputStream().write(Served.rawPost("/pay", "k1", "{}"));
        Served.await(() -> served.runs.get() == 1);
      }
      goOn.countDown();
      left.await(20, TimeUnit.SECONDS);
      HttpResponse<String> retry = served.post("/pay", "k1", "{}");
      assertThat(retry.statusCode()).isEqualTo(201);
      assertThat(retry.body()).isEqualTo("run 1");
      assertThat(Served.isReplay(retry)).isTrue();
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void aClientThatDisconnectsInTheMiddleOfALargeAnswerDoesNotStopTheHandler(Container container)
      throws Exception {
    CountDownLatch gone = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    try (Served served =
        Served.by(
            container,
            (request, response, run) -> {
              byte[] much = new byte[100_000];
              response.getOutputStream().write(much);
              response.flushBuffer();
              gone.await(20, TimeUnit.SECONDS);
              for (int i = 0; i < 200; i++) {
                response.getOutputStream().write(much);
                response.flushBuffer();
              }
              ended.countDown();
            })) {
      try (Socket socket = served.socket()) {
        socket.setSoLinger(true, 0);
        socket.getOutputStream().write(Served.rawPost("/export", "k1", "{}"));
        assertThat(socket.getInputStream().readNBytes(1000)).hasSize(1000);
      }
      gone.countDown();
      assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(served.post("/export", "k1", "{}").statusCode())
          .as("it executed; so much is known")
          .isEqualTo(410);
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void aClientThatDisconnectsWhileSendingExecutesNothing(Container container) throws Exception {
    try (Served served = Served.by(container, writes(1000))) {
      try (Socket socket = served.socket()) {
        byte[] request = Served.rawPost("/pay", "k1", "{\"amount\":1}");
        socket.getOutputStream().write(request, 0, request.length - 3);
        socket.shutdownOutput();
        socket.getInputStream().readAllBytes();
      }
      assertThat(served.runs).hasValue(0);
      HttpResponse<String> retry = served.post("/pay", "k1", "{\"amount\":1}");
      assertThat(retry.statusCode()).isEqualTo(200);
      assertThat(Served.isReplay(retry)).isFalse();
    }
  }

  private static void readUntil(InputStream in, String expected) throws Exception {
    StringBuilder read = new StringBuilder();
    while (read.indexOf(expected) < 0) {
      int b = in.read();
      if (b < 0) {
        throw new AssertionError("ended after " + read);
      }
      read.append(new String(new byte[] {(byte) b}, StandardCharsets.ISO_8859_1));
    }
  }
}
