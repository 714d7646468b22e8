package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.AsyncContext;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Answers that come when the container has ended their request. It uses the same objects for the
 * next one, which must get nothing of them.
 */
class FilterTooLateTest {
  private static final int LOST = 200;

  private record Later(CountDownLatch returned, CountDownLatch goOn, CountDownLatch through) {
    Later() {
      this(new CountDownLatch(1), new CountDownLatch(1), new CountDownLatch(1));
    }
  }

  /** Whether the container or the answer is faster is open; so there are many of them. */
  @OnEachServer
  void lostConnectionsHarmNoOtherRequest(Container container) throws Exception {
    Map<String, Later> all = new ConcurrentHashMap<>();
    Served.Setup setup =
        new Served.Setup()
            .between(
                (request, response, chain) -> {
                  chain.doFilter(request, response);
                  all.get(key(request)).returned().countDown();
                })
            .handler(
                (request, response, run) -> {
                  AsyncContext async = request.startAsync();
                  Later later = all.get(key(request));
                  new Thread(() -> answer(async, later)).start();
                });
    try (Served served = Served.by(container, any -> any, setup)) {
      for (int i = 0; i < LOST; i++) {
        String key = "k" + i;
        Later later = new Later();
        all.put(key, later);
        try (Socket socket = served.socket()) {
          socket.setSoLinger(true, 0);
          socket.getOutputStream().write(Served.rawPost("/pay", key, "{}"));
          await(later.returned());
        }
        later.goOn().countDown();
        await(later.through());
        HttpResponse<String> retry = served.post("/pay", key, "{}");
        assertThat(retry.statusCode()).as(retry.body()).isEqualTo(201);
        assertThat(retry.body()).isEqualTo("booked");
        assertThat(Served.isReplay(retry)).isTrue();
      }
      assertThat(served.runs).hasValue(LOST);
    }
  }

  private static String key(jakarta.servlet.ServletRequest request) {
    return ((jakarta.servlet.http.HttpServletRequest) request).getHeader("Idempotency-Key");
  }

  private static void answer(AsyncContext async, Later later) {
    try {
      await(later.goOn());
      respond(async, "booked");
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      later.through().countDown();
    }
  }

  private static void respond(AsyncContext async, String text) throws IOException {
    var response = (jakarta.servlet.http.HttpServletResponse) async.getResponse();
    response.setStatus(201);
    response.setContentType("text/plain");
    response.getWriter().print(text);
    async.complete();
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
  }

  /** The application was in time, but the store was not. */
  @OnEachServer
  void anAnswerRecordedTooLateReachesNobodyElse(Container container) throws Exception {
    CountDownLatch second = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    FaultyStore store = new FaultyStore();
    store.recordsFail = true;
    try (IdempotencyFilter filter =
            IdempotencyFilter.on(store).guard(g -> g.pollEvery(Duration.ofMillis(5))).build();
        Served served =
            Served.with(
                container,
                filter,
                (request, response, run) -> {
                  if (run == 1) {
                    AsyncContext async = request.startAsync();
                    async.setTimeout(50);
                    respond(async, "the first");
                  } else {
                    second.countDown();
                    await(goOn);
                    response.getWriter().print("the second");
                  }
                });
        Connection connection = new Connection(served)) {
      connection.send("k1");
      assertThat(connection.answer()).startsWith("HTTP/1.1 500");
      connection.send("k2");
      await(second);
      store.recordsFail = false;
      HttpResponse<String> retry = served.post("/pay", "k1", "{}");
      assertThat(retry.body()).isEqualTo("the first");
      assertThat(Served.isReplay(retry)).isTrue();
      goOn.countDown();
      assertThat(connection.answer()).startsWith("HTTP/1.1 200").endsWith("\r\n\r\nthe second");
      connection.send("k1");
      assertThat(connection.answer()).startsWith("HTTP/1.1 201").endsWith("\r\n\r\nthe first");
      assertThat(served.runs).hasValue(2);
    } finally {
      goOn.countDown();
      store.close();
    }
  }

  /** One connection as long as the server keeps it. */
  private static final class Connection implements AutoCloseable {
    private final Served served;
    private Socket socket;

    Connection(Served served) throws IOException {
      this.served = served;
      socket = served.socket();
    }

    void send(String key) throws IOException {
      socket.getOutputStream().write(Served.rawPost("/pay", key, "{}"));
    }

    /** To the last byte that its length announces. */
    String answer() throws IOException {
      InputStream in = socket.getInputStream();
      StringBuilder read = new StringBuilder();
      while (read.indexOf("\r\n\r\n") < 0) {
        int b = in.read();
        assertThat(b).as("after " + read).isNotNegative();
        read.append((char) b);
      }
      String head = read.toString().toLowerCase(java.util.Locale.ROOT);
      int from = head.indexOf("content-length: ") + "content-length: ".length();
      int length = Integer.parseInt(head, from, head.indexOf('\r', from), 10);
      read.append(new String(in.readNBytes(length), StandardCharsets.UTF_8));
      if (head.contains("connection: close")) {
        socket.close();
        socket = served.socket();
      }
      return read.toString();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
