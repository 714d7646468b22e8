package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Key;
import io.onceward.guard.DidNotHappenException;
import io.onceward.guard.Meaning;
import io.onceward.guard.UnknownOutcomeException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Authenticator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Calls that the client itself makes of several: it follows redirects, authenticates, repeats on a
 * connection that was closed. That the last of them did not happen says nothing about the first.
 */
class OutboundHopsTest {
  private static HttpClient.Builder client() {
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
  }

  private static OutboundGuard guard(HttpClient client) {
    return guard(client, any -> any);
  }

  private static OutboundGuard guard(
      HttpClient client, java.util.function.UnaryOperator<OutboundGuard.Builder> more) {
    return more.apply(
            OutboundGuard.inMemory(client)
                .retryEvery(Duration.ofMillis(5))
                .deadline(Duration.ofSeconds(3)))
        .build();
  }

  private static OutboundCall call(FakeApi api) {
    return OutboundCall.of(api.post("{}")).key(Key.text("k1"));
  }

  private static void isUnknownAndSentOnce(OutboundGuard guard, FakeApi api) {
    for (int copy = 0; copy < 2; copy++) {
      assertThatThrownBy(() -> guard.send(call(api))).isInstanceOf(UnknownOutcomeException.class);
    }
    assertThat(api.calls()).as("the effect").isEqualTo(1);
  }

  @Test
  void aRedirectToAPortThatRefusesDoesNotRepeatTheEffect() throws Exception {
    int nobody = freePort();
    try (FakeApi api = redirecting(303, "http://127.0.0.1:" + nobody + "/receipt");
        OutboundGuard guard = guard(client().followRedirects(HttpClient.Redirect.ALWAYS).build())) {
      isUnknownAndSentOnce(guard, api);
    }
  }

  @Test
  void aRedirectToANameThatDoesNotResolveDoesNotRepeatTheEffect() throws Exception {
    try (FakeApi api = redirecting(307, "http://nobody.invalid/receipt");
        OutboundGuard guard = guard(client().followRedirects(HttpClient.Redirect.ALWAYS).build())) {
      isUnknownAndSentOnce(guard, api);
    }
  }

  /** The client calls it a connect time-out if the request's own time is up between two hops. */
  @Test
  void aTimeOutThatIsCalledOneOfConnectingDoesNotRepeatTheEffect() throws Exception {
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket first = new Socket(full.getInetAddress(), full.getLocalPort());
        Socket second = new Socket(full.getInetAddress(), full.getLocalPort());
        FakeApi api = redirecting(303, "http://127.0.0.1:" + full.getLocalPort() + "/receipt");
        OutboundGuard guard =
            guard(
                client()
                    .followRedirects(HttpClient.Redirect.ALWAYS)
                    .connectTimeout(Duration.ofMillis(500))
                    .build())) {
      assertThat(first.isConnected() && second.isConnected()).as("its queue is full").isTrue();
      isUnknownAndSentOnce(guard, api);
    }
  }

  @Test
  void aProxyThatRefusesTheSecondHopDoesNotRepeatTheEffect() throws Exception {
    InetSocketAddress nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), freePort());
    try (FakeApi api = redirecting(303, "http://elsewhere.invalid/receipt");
        OutboundGuard guard =
            guard(
                client()
                    .followRedirects(HttpClient.Redirect.ALWAYS)
                    .proxy(new OnlyElsewhere(nobody))
                    .build())) {
      isUnknownAndSentOnce(guard, api);
    }
  }

  @Test
  void aProxyThatRefusesTheFirstHopSentNothing() throws Exception {
    HttpClient client =
        client()
            .proxy(
                ProxySelector.of(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), freePort())))
            .build();
    try (FakeApi api = new FakeApi((exchange, n) -> FakeApi.answer(exchange, 200, ""));
        OutboundGuard guard = guard(client)) {
      assertThatThrownBy(() -> guard.send(call(api))).isInstanceOf(DidNotHappenException.class);
      assertThat(api.calls()).isZero();
    }
  }

  @Test
  void aPageThatWantsALogInAfterTheEffectDoesNotUndoIt() throws Exception {
    try (FakeApi api = leadingTo(401);
        OutboundGuard guard = guard(client().followRedirects(HttpClient.Redirect.ALWAYS).build())) {
      for (int copy = 0; copy < 2; copy++) {
        assertThatThrownBy(() -> guard.send(call(api))).isInstanceOf(UnknownOutcomeException.class);
      }
      assertThat(api.calls()).as("the effect and the page").isEqualTo(2);
    }
  }

  @Test
  void whatTheUserSaysOfAStatusHoldsForTheFirstHopOnly() throws Exception {
    try (FakeApi api = leadingTo(429);
        OutboundGuard guard =
            guard(
                client().followRedirects(HttpClient.Redirect.ALWAYS).build(),
                g -> g.status(429, Meaning.DID_NOT_HAPPEN))) {
      assertThatThrownBy(() -> guard.send(call(api))).isInstanceOf(UnknownOutcomeException.class);
      assertThatThrownBy(() -> guard.send(call(api))).isInstanceOf(UnknownOutcomeException.class);
      assertThat(api.calls()).isEqualTo(2);
    }
  }

  @Test
  void aRedirectThatLeadsToAnAnswerIsAnAnswer() throws Exception {
    try (FakeApi api = leadingTo(200);
        OutboundGuard guard = guard(client().followRedirects(HttpClient.Redirect.ALWAYS).build())) {
      assertThat(guard.send(call(api)).status()).isEqualTo(200);
      assertThat(guard.send(call(api)).replayed()).isTrue();
      assertThat(api.calls()).isEqualTo(2);
    }
  }

  @Test
  void aDemandForAPasswordIsNoEffect() throws Exception {
    try (FakeApi api =
            new FakeApi(
                (exchange, n) -> {
                  exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"bank\"");
                  FakeApi.answer(exchange, n == 1 ? 401 : 425, "");
                });
        OutboundGuard guard = guard(client().authenticator(new Password()).build())) {
      assertThatThrownBy(() -> guard.send(call(api))).isInstanceOf(DidNotHappenException.class);
      assertThat(api.calls()).as("without and with the password").isEqualTo(2);
    }
  }

  @Test
  void theCopyWithThePasswordMayHaveArrived() throws Exception {
    AtomicInteger arrived = new AtomicInteger();
    ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    Thread api = new Thread(() -> demandAPasswordAndLoseTheNext(server, arrived));
    api.start();
    OutboundCall call =
        OutboundCall.of(FakeApi.post(server.getLocalPort(), "")).key(Key.text("k1"));
    try (OutboundGuard guard = guard(client().authenticator(new Password()).build())) {
      for (int copy = 0; copy < 2; copy++) {
        assertThatThrownBy(() -> guard.send(call)).isInstanceOf(UnknownOutcomeException.class);
      }
      assertThat(arrived).as("without and with the password").hasValue(2);
    } finally {
      server.close();
    }
    api.join(20_000);
  }

  private static void demandAPasswordAndLoseTheNext(ServerSocket server, AtomicInteger arrived) {
    try (Socket connection = server.accept()) {
      arrived.addAndGet(requests(connection.getInputStream(), 1));
      answer(connection, "401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"bank\"");
      arrived.addAndGet(requests(connection.getInputStream(), 1));
      server.close();
    } catch (IOException e) {
      // The test sees what arrived.
    }
  }

  /** On a connection that was kept open, a GET that gets no answer is sent again by the client. */
  @Test
  void aRequestThatTheClientRepeatsOnANewConnectionMayHaveArrived() throws Exception {
    AtomicInteger arrived = new AtomicInteger();
    ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    Thread api = new Thread(() -> answerOneOfTwo(server, arrived));
    api.start();
    HttpRequest get =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getLocalPort() + "/draw"))
            .build();
    try (OutboundGuard guard = guard(client().build())) {
      assertThat(guard.send(OutboundCall.of(get).key(Key.text("k1"))).text()).isEqualTo("ok");
      assertThatThrownBy(() -> guard.send(OutboundCall.of(get).key(Key.text("k2"))))
          .isInstanceOf(UnknownOutcomeException.class);
      assertThat(arrived).hasValue(2);
    } finally {
      server.close();
    }
    api.join(20_000);
  }

  /** The first copy took effect; what the second is told says nothing of that. */
  @Test
  void aRefusalOfTheSecondCopyDoesNotUndoTheFirst() throws Exception {
    AtomicInteger arrived = new AtomicInteger();
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        OutboundGuard guard = guard(client().build())) {
      Thread api = new Thread(() -> loseOneThenAnswer(server, arrived, "425 Too Early"));
      api.start();
      assertThat(guard.send(draw(server, "k1")).text()).isEqualTo("ok");
      for (int copy = 0; copy < 2; copy++) {
        assertThatThrownBy(() -> guard.send(draw(server, "k2")))
            .isInstanceOf(UnknownOutcomeException.class);
      }
      assertThat(arrived).as("k1, and k2 twice").hasValue(3);
      api.join(20_000);
    }
  }

  /** The first copy is still at work there; this is no answer to remember. */
  @Test
  void aConflictWithTheFirstCopyIsNotTheAnswer() throws Exception {
    AtomicInteger arrived = new AtomicInteger();
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        OutboundGuard guard = guard(client().build(), g -> g.takesKeys(Duration.ofHours(1)))) {
      Thread api = new Thread(() -> loseOneThenAnswer(server, arrived, "409 Conflict", "200 OK"));
      api.start();
      assertThat(guard.send(draw(server, "k1")).text()).isEqualTo("ok");
      assertThat(guard.send(draw(server, "k2")).status()).isEqualTo(200);
      assertThat(arrived).as("k1, and k2 three times").hasValue(4);
      api.join(20_000);
    }
  }

  private static OutboundCall draw(ServerSocket server, String key) {
    return OutboundCall.of(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + server.getLocalPort() + "/draw"))
                .build())
        .key(Key.text(key));
  }

  /**
   * Closes the connection on its second request, which the client sends again on a new one, where
   * these are the answers.
   */
  private static void loseOneThenAnswer(
      ServerSocket server, AtomicInteger arrived, String... statuses) {
    try {
      try (Socket connection = server.accept()) {
        arrived.addAndGet(requests(connection.getInputStream(), 1));
        answer(connection, "200 OK");
        arrived.addAndGet(requests(connection.getInputStream(), 1));
      }
      try (Socket connection = server.accept()) {
        for (String status : statuses) {
          arrived.addAndGet(requests(connection.getInputStream(), 1));
          answer(connection, status);
        }
      }
    } catch (IOException e) {
      // The test sees what arrived.
    }
  }

  private static void answer(Socket connection, String status) throws IOException {
    connection
        .getOutputStream()
        .write(
            ("HTTP/1.1 " + status + "\r\nContent-Length: 2\r\n\r\nok")
                .getBytes(StandardCharsets.US_ASCII));
  }

  /** Both on one connection. Nobody listens any more when the second is left without an answer. */
  private static void answerOneOfTwo(ServerSocket server, AtomicInteger arrived) {
    try (Socket connection = server.accept()) {
      InputStream in = connection.getInputStream();
      arrived.addAndGet(requests(in, 1));
      connection
          .getOutputStream()
          .write(
              "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(StandardCharsets.US_ASCII));
      arrived.addAndGet(requests(in, 1));
      server.close();
    } catch (IOException e) {
      // The test sees what arrived.
    }
  }

  private static int requests(InputStream in, int count) throws IOException {
    int newlines = 0;
    int seen = 0;
    for (int c = in.read(); c >= 0; c = in.read()) {
      newlines = c == '\n' ? newlines + 1 : c == '\r' ? newlines : 0;
      if (newlines == 2 && ++seen == count) {
        break;
      }
    }
    return seen;
  }

  private static FakeApi redirecting(int status, String location) throws IOException {
    return new FakeApi(
        (exchange, n) -> {
          exchange.getResponseHeaders().set("Location", location);
          FakeApi.answer(exchange, status, "");
        });
  }

  /** Takes effect, and shows the result on a page of its own. */
  private static FakeApi leadingTo(int status) throws IOException {
    return new FakeApi(
        (exchange, n) -> {
          boolean effect = exchange.getRequestMethod().equals("POST");
          if (effect) {
            exchange.getResponseHeaders().set("Location", "/receipt");
          }
          FakeApi.answer(exchange, effect ? 303 : status, "");
        });
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static final class Password extends Authenticator {
    @Override
    protected PasswordAuthentication getPasswordAuthentication() {
      return new PasswordAuthentication("shop", "secret".toCharArray());
    }
  }

  /** A proxy for all but the machine itself. */
  private static final class OnlyElsewhere extends ProxySelector {
    private final InetSocketAddress proxy;

    OnlyElsewhere(InetSocketAddress proxy) {
      this.proxy = proxy;
    }

    @Override
    public java.util.List<java.net.Proxy> select(URI uri) {
      return java.util.List.of(
          uri.getHost().equals("127.0.0.1")
              ? java.net.Proxy.NO_PROXY
              : new java.net.Proxy(java.net.Proxy.Type.HTTP, proxy));
    }

    @Override
    public void connectFailed(URI uri, java.net.SocketAddress address, IOException failure) {}
  }
}
