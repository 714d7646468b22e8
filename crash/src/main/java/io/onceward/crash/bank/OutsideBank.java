package io.onceward.crash.bank;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.onceward.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A bank that belongs to somebody else and is spoken to over HTTP. It takes no idempotency keys:
 * who asks twice has paid twice. But one can ask it to <em>settle</em> a run: either it tells what
 * the run did, or it turns away that run and all before it, should they still come. That is what a
 * probe needs to say "can no longer happen" (G3).
 */
public final class OutsideBank implements AutoCloseable {
  private static final int GONE = 410;
  private static final int NOT_FOUND = 404;
  private static final int DECLINED = 409;
  private static final int DONE = 200;

  private final Bank bank = new Bank();
  private final Map<String, Reply> outcomes = new HashMap<>();

  /** Up to which fence the runs of a request are turned away. */
  private final Map<String, Long> settled = new HashMap<>();

  private final boolean excludes;
  private final HttpServer server;
  private final ExecutorService threads;

  private OutsideBank(boolean excludes, HttpServer server, ExecutorService threads) {
    this.excludes = excludes;
    this.server = server;
    this.threads = threads;
  }

  /**
   * Opens a bank on a free port of the loopback interface.
   *
   * @param excludes whether it turns away the runs that it was asked to settle, or forgets to
   */
  public static OutsideBank open(boolean excludes) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    ExecutorService threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "outside bank");
              thread.setDaemon(true);
              return thread;
            });
    OutsideBank bank = new OutsideBank(excludes, server, threads);
    server.setExecutor(threads);
    server.createContext("/transfer", bank::transfer);
    server.createContext("/settle", bank::settle);
    server.start();
    return bank;
  }

  public int port() {
    return server.getAddress().getPort();
  }

  /** The body is the transfer, the header {@code Fence} the number of the run. */
  private void transfer(HttpExchange exchange) throws IOException {
    Transfer transfer =
        Transfer.decode(io.onceward.Bytes.of(exchange.getRequestBody().readAllBytes()));
    Reply reply =
        transfer(transfer, Long.parseLong(exchange.getRequestHeaders().getFirst("Fence")));
    if (reply == null) {
      answer(exchange, GONE, "this run was settled");
    } else {
      answer(exchange, reply.kind() == Reply.Kind.OK ? DONE : DECLINED, reply.bytes().asText());
    }
  }

  private synchronized @Nullable Reply transfer(Transfer transfer, long fence) {
    if (fence <= settled.getOrDefault(transfer.request(), 0L)) {
      return null;
    }
    Reply reply = bank.transfer(transfer);
    outcomes.putIfAbsent(transfer.request(), reply);
    return reply;
  }

  /** The body is the request's name. */
  private void settle(HttpExchange exchange) throws IOException {
    String request = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Reply reply = settle(request, Long.parseLong(exchange.getRequestHeaders().getFirst("Fence")));
    if (reply == null) {
      answer(exchange, NOT_FOUND, "it did not happen");
    } else {
      answer(exchange, reply.kind() == Reply.Kind.OK ? DONE : DECLINED, reply.bytes().asText());
    }
  }

  /** What became of a request; null if nothing did, and nothing of this run will any more. */
  public synchronized @Nullable Reply settle(String request, long fence) {
    Reply outcome = outcomes.get(request);
    if (outcome == null && excludes) {
      settled.merge(request, fence, Math::max);
    }
    return outcome;
  }

  private static void answer(HttpExchange exchange, int code, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  public synchronized List<Movement> movements() {
    return bank.movements();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
