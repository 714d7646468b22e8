package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Key;
import io.onceward.guard.UnknownOutcomeException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The same as {@link OutboundHopsTest}, where one connection carries all requests. */
class OutboundHttp2Test {
  private static OutboundGuard guard(HttpClient.Redirect redirects) {
    return OutboundGuard.inMemory(
            HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_2)
                .followRedirects(redirects)
                .build())
        .retryEvery(Duration.ofMillis(5))
        .deadline(Duration.ofSeconds(5))
        .build();
  }

  private static OutboundCall call(int port, String key) {
    return OutboundCall.of(FakeApi.post(port, "{}")).key(Key.text(key));
  }

  private static Container.Running started(Behaviour behaviour) throws Exception {
    return Container.TOMCAT.start(
        new Container.Application(new Api(behaviour), null, null), context -> {});
  }

  private interface Behaviour {
    void handle(HttpServletRequest request, HttpServletResponse response) throws IOException;
  }

  private static final class Api extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private final transient Behaviour behaviour;

    Api(Behaviour behaviour) {
      this.behaviour = behaviour;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      behaviour.handle(request, response);
    }
  }

  @Test
  void aRedirectToAPortThatRefusesDoesNotRepeatTheEffect() throws Exception {
    AtomicInteger effects = new AtomicInteger();
    int nobody = freePort();
    try (Container.Running api =
            started(
                (request, response) -> {
                  effects.incrementAndGet();
                  response.setStatus(303);
                  response.setHeader("Location", "http://127.0.0.1:" + nobody + "/receipt");
                });
        OutboundGuard guard = guard(HttpClient.Redirect.ALWAYS)) {
      for (int copy = 0; copy < 2; copy++) {
        assertThatThrownBy(() -> guard.send(call(api.port(), "k1")))
            .isInstanceOf(UnknownOutcomeException.class);
      }
      assertThat(effects).hasValue(1);
    }
  }

  @Test
  void aRequestOnAConnectionThatIsLostMayHaveArrived() throws Exception {
    List<String> protocols = new ArrayList<>();
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (Container.Running api =
            started(
                (request, response) -> {
                  protocols.add(request.getProtocol());
                  if (protocols.size() == 2) {
                    arrived.countDown();
                    await(goOn);
                  }
                });
        Relay relay = new Relay(api.port());
        OutboundGuard guard = guard(HttpClient.Redirect.NEVER)) {
      assertThat(guard.send(call(relay.port(), "k1")).status()).isEqualTo(200);
      var lost = guard.sendAsync(call(relay.port(), "k2"));
      await(arrived);
      relay.lose();
      assertThatThrownBy(() -> lost.get(20, TimeUnit.SECONDS))
          .hasCauseInstanceOf(UnknownOutcomeException.class);
      assertThatThrownBy(() -> guard.send(call(relay.port(), "k2")))
          .isInstanceOf(UnknownOutcomeException.class);
      assertThat(protocols).hasSize(2);
      assertThat(protocols.get(1)).isEqualTo("HTTP/2.0");
    } finally {
      goOn.countDown();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /**
   * Stands before a server until it is to lose it; then connections are lost and nobody listens.
   */
  private static final class Relay implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    private final int target;
    private final List<Socket> sockets = new ArrayList<>();

    Relay(int target) throws IOException {
      this.target = target;
      new Thread(this::accept).start();
    }

    int port() {
      return server.getLocalPort();
    }

    private void accept() {
      try {
        while (true) {
          Socket client = server.accept();
          Socket there = new Socket(InetAddress.getLoopbackAddress(), target);
          synchronized (sockets) {
            sockets.add(client);
            sockets.add(there);
          }
          new Thread(() -> copy(client, there)).start();
          new Thread(() -> copy(there, client)).start();
        }
      } catch (IOException e) {
        // It is closed.
      }
    }

    private static void copy(Socket from, Socket to) {
      try {
        from.getInputStream().transferTo(to.getOutputStream());
      } catch (IOException e) {
        // The test sees what arrived.
      }
    }

    @Override
    public void close() throws IOException {
      lose();
    }

    void lose() throws IOException {
      server.close();
      synchronized (sockets) {
        for (Socket socket : sockets) {
          socket.close();
        }
      }
    }
  }
}
