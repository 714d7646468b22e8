package io.onceward.torture.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.server.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ProxyTest {
  private static final int A_MOMENT_MILLIS = 200;

  private final Lanes lanes = new Lanes();
  private final InetAddress loopback = InetAddress.getLoopbackAddress();
  private ServerSocket node;
  private Proxy proxy;
  private Socket client;
  private Socket served;

  @BeforeEach
  void connect() throws IOException {
    node = new ServerSocket(0, 8, loopback);
    int entrance = FreePorts.one();
    proxy =
        new Proxy(
            lanes,
            "a",
            new InetSocketAddress(loopback, entrance),
            new InetSocketAddress(loopback, node.getLocalPort()),
            socket -> "client",
            party -> null);
    client = new Socket(loopback, entrance);
    served = node.accept();
    client.setSoTimeout(A_MOMENT_MILLIS);
    served.setSoTimeout(A_MOMENT_MILLIS);
  }

  @AfterEach
  void end() throws IOException {
    proxy.close();
    lanes.close();
    node.close();
    client.close();
    served.close();
  }

  private static void pass(Socket source, Socket target, int value) throws IOException {
    source.getOutputStream().write(value);
    target.setSoTimeout(10_000);
    assertThat(target.getInputStream().read()).isEqualTo(value);
    target.setSoTimeout(A_MOMENT_MILLIS);
  }

  @Test
  void whatIsNotDisturbedPassesBothWays() throws IOException {
    pass(client, served, 1);
    pass(served, client, 2);
  }

  @Test
  void aStalledLaneHoldsBackOneWayOnlyAndDeliversLate() throws IOException {
    lanes.between("client", "a").stall();
    client.getOutputStream().write(3);
    assertThatThrownBy(() -> served.getInputStream().read())
        .isInstanceOf(SocketTimeoutException.class);
    pass(served, client, 4);
    lanes.between("client", "a").heal();
    served.setSoTimeout(10_000);
    assertThat(served.getInputStream().read()).isEqualTo(3);
  }

  @Test
  void aCutIsNoticedAtBothEndsAtOnce() {
    assertThat(lanes.cut("a", "client")).isEqualTo(1);
    assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> served.getInputStream().read()).isInstanceOf(IOException.class);
  }

  @Test
  void aCutBetweenOthersDoesNotConcernThem() throws IOException {
    assertThat(lanes.cut("a", "b")).isZero();
    pass(client, served, 5);
  }

  @Test
  void aFrozenConnectionDiesWithoutASignWhileNewOnesLive() throws IOException {
    assertThat(lanes.freeze("client", "a", Integer.MAX_VALUE)).isEqualTo(1);
    client.getOutputStream().write(6);
    assertThatThrownBy(() -> served.getInputStream().read())
        .isInstanceOf(SocketTimeoutException.class);
    try (Socket second = new Socket(loopback, client.getPort());
        Socket servedToo = node.accept()) {
      pass(second, servedToo, 7);
    }
    lanes.healAll();
    assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(IOException.class);
  }

  @Test
  void oneConnectionCanBeFrozenWhileTheOthersGoOn() throws IOException {
    try (Socket second = new Socket(loopback, client.getPort());
        Socket servedToo = node.accept()) {
      pass(second, servedToo, 8);
      assertThat(lanes.freeze("client", "a", 1)).isEqualTo(1);
      client.getOutputStream().write(9);
      second.getOutputStream().write(9);
      assertThat(hears(served)).isNotEqualTo(hears(servedToo));
    }
  }

  private static boolean hears(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() == 9;
    } catch (SocketTimeoutException silence) {
      return false;
    }
  }
}
