package io.onceward.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Somebody else's API, on a real socket, as unreliable as the test wants it. */
final class FakeApi implements AutoCloseable {
  /** What it does with its n-th request. */
  interface Behaviour {
    void handle(HttpExchange exchange, int n) throws Exception;
  }

  /** The keys that came with the requests, in order; empty where there was none. */
  final List<String> keys = new CopyOnWriteArrayList<>();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  FakeApi(Behaviour behaviour) throws IOException {
    this(0, behaviour);
  }

  FakeApi(int port, Behaviour behaviour) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          int n;
          synchronized (keys) {
            String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
            keys.add(key == null ? "" : key);
            n = keys.size();
          }
          exchange.getRequestBody().readAllBytes();
          try {
            behaviour.handle(exchange, n);
          } catch (IOException | RuntimeException e) {
            throw e;
          } catch (Exception e) {
            throw new IOException(e);
          } finally {
            exchange.close();
          }
        });
    server.start();
  }

  static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  int port() {
    return server.getAddress().getPort();
  }

  int calls() {
    return keys.size();
  }

  HttpRequest post(String body) {
    return post(port(), body);
  }

  static HttpRequest post(int port, String body) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/charge"))
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body))
        .build();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
