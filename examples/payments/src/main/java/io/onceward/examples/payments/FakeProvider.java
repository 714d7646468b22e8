package io.onceward.examples.payments;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.boot.web.server.PortInUseException;

/**
 * Somebody else's payment service, with cards for every case: {@code good}, {@code declined},
 * {@code slow}, and {@code lossy}, which is charged, and then the connection breaks before the
 * answer. {@code GET /charges} shows its books.
 */
final class FakeProvider implements AutoCloseable {
  private static final long SLOW_MILLIS = 4_000;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> books = new CopyOnWriteArrayList<>();

  private FakeProvider(HttpServer server) {
    this.server = server;
  }

  /**
   * @param port 0 for any that is free
   */
  static FakeProvider start(int port) throws IOException {
    FakeProvider provider = new FakeProvider(listen(port));
    provider.server.createContext("/charges", provider::answer);
    provider.server.setExecutor(provider.threads);
    provider.server.start();
    return provider;
  }

  private static HttpServer listen(int port) throws IOException {
    try {
      return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    } catch (BindException taken) {
      throw new PortInUseException(port, taken);
    }
  }

  /** All charges, in the order in which they were made. */
  List<String> books() {
    return List.copyOf(books);
  }

  int port() {
    return server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    if (exchange.getRequestMethod().equals("GET")) {
      StringBuilder all = new StringBuilder();
      books.forEach(line -> all.append(line).append('\n'));
      send(exchange, 200, all.toString());
      return;
    }
    String asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    if (asked.startsWith("declined ")) {
      send(exchange, 402, "the card is declined");
      return;
    }
    if (asked.startsWith("slow ")) {
      takeTime();
    }
    String number = book(asked);
    if (asked.startsWith("lossy ")) {
      exchange.close();
    } else {
      send(exchange, 201, number);
    }
  }

  private synchronized String book(String asked) {
    String number = "ch_" + (books.size() + 1);
    books.add(number + " " + asked);
    return number;
  }

  private static void takeTime() {
    try {
      Thread.sleep(SLOW_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void send(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
