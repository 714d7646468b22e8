package io.onceward.http;

import io.onceward.http.Container.Application;
import io.onceward.http.Container.Running;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** An application behind the filter on a real server, and a caller of it. */
final class Served implements AutoCloseable {
  /** What the application does with a request. */
  interface Handler {
    void handle(HttpServletRequest request, HttpServletResponse response, int run) throws Exception;
  }

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** How often the application was entered. */
  final AtomicInteger runs = new AtomicInteger();

  final IdempotencyFilter filter;
  private final Running running;

  private Served(
      Container container, IdempotencyFilter filter, Setup setup, IdempotencyFilter... before)
      throws Exception {
    this.filter = filter;
    running =
        container.start(
            new Application(
                new Servlet(setup.handler, runs),
                setup.errorPage == null ? null : new Servlet(setup.errorPage, new AtomicInteger()),
                setup.multipart),
            context -> {
              Container.outermost(
                  context,
                  "users",
                  (request, response, chain) ->
                      chain.doFilter(new WithUser((HttpServletRequest) request), response));
              if (setup.between != null) {
                Container.outermost(context, "between", setup.between);
              }
              for (IdempotencyFilter each : before) {
                each.register(context, "/*");
              }
              filter.register(context, "/*");
            });
  }

  static Served by(Container container, Handler handler) throws Exception {
    return by(container, any -> any, new Setup().handler(handler));
  }

  static Served by(
      Container container, UnaryOperator<IdempotencyFilter.Builder> filter, Handler handler)
      throws Exception {
    return by(container, filter, new Setup().handler(handler));
  }

  /** With others of its kind before it. */
  static Served by(
      Container container,
      UnaryOperator<IdempotencyFilter.Builder> filter,
      Setup setup,
      IdempotencyFilter... before)
      throws Exception {
    return new Served(container, filter.apply(IdempotencyFilter.inMemory()).build(), setup, before);
  }

  static Served with(Container container, IdempotencyFilter filter, Handler handler)
      throws Exception {
    return with(container, filter, new Setup().handler(handler));
  }

  static Served with(Container container, IdempotencyFilter filter, Setup setup) throws Exception {
    return new Served(container, filter, setup);
  }

  /** The rarer things of an application. */
  static final class Setup {
    private Handler handler = (request, response, run) -> response.setStatus(204);
    private Handler errorPage;
    private MultipartConfigElement multipart;
    private jakarta.servlet.Filter between;

    Setup handler(Handler handler) {
      this.handler = handler;
      return this;
    }

    Setup errorPage(Handler errorPage) {
      this.errorPage = errorPage;
      return this;
    }

    Setup multipart(MultipartConfigElement multipart) {
      this.multipart = multipart;
      return this;
    }

    /** A filter between the client and ours. */
    Setup between(jakarta.servlet.Filter between) {
      this.between = between;
      return this;
    }
  }

  private static final class Servlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private final transient Handler handler;
    private final AtomicInteger runs;

    Servlet(Handler handler, AtomicInteger runs) {
      this.handler = handler;
      this.runs = runs;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws jakarta.servlet.ServletException, IOException {
      try {
        handler.handle(request, response, runs.incrementAndGet());
      } catch (IOException | RuntimeException | jakarta.servlet.ServletException e) {
        throw e;
      } catch (Exception e) {
        throw new jakarta.servlet.ServletException(e);
      }
    }
  }

  /** The user is whoever says so: authentication is not what is tested. */
  private static final class WithUser extends HttpServletRequestWrapper {
    WithUser(HttpServletRequest request) {
      super(request);
    }

    @Override
    public Principal getUserPrincipal() {
      String user = getHeader("X-User");
      return user == null ? null : () -> user;
    }
  }

  int port() {
    return running.port();
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
        .timeout(Duration.ofSeconds(20));
  }

  /** A POST of some JSON under a key. */
  HttpResponse<String> post(String path, String key, String body) throws Exception {
    return send(keyed(path, key, body));
  }

  HttpRequest.Builder keyed(String path, String key, String body) {
    return request(path)
        .header("Idempotency-Key", key)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body));
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  CompletableFuture<HttpResponse<String>> sendAsync(HttpRequest.Builder request) {
    return CLIENT.sendAsync(request.build(), BodyHandlers.ofString());
  }

  /** A connection on which the test itself speaks HTTP. */
  Socket socket() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
    socket.setSoTimeout(20_000);
    return socket;
  }

  static byte[] rawPost(String path, String key, String body) {
    return ("POST "
            + path
            + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Idempotency-Key: "
            + key
            + "\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body)
        .getBytes(StandardCharsets.US_ASCII);
  }

  static boolean isReplay(HttpResponse<?> response) {
    return response.headers().firstValue("Idempotent-Replayed").orElse("").equals("true");
  }

  /** Waits until the server has nothing to do, and has thus noted that a request is suspended. */
  void awaitIdle() throws InterruptedException {
    await(running.idle());
  }

  /** Waits for something that is bound to happen; fails if it does not. */
  static void await(BooleanSupplier condition) throws InterruptedException {
    long until = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > until) {
        throw new AssertionError("waited 20 s in vain");
      }
      Thread.sleep(2);
    }
  }

  @Override
  public void close() {
    running.close();
  }
}
