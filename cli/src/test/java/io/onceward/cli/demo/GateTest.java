package io.onceward.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class GateTest {
  private static final int SHORT_MILLIS = 150;
  private static final int LONG_MILLIS = 10_000;

  private final List<AutoCloseable> things = new ArrayList<>();
  private ServerSocket node;
  private Thread echo;
  private Gate gate;

  @BeforeEach
  void nodeThatEchoes() throws IOException {
    node = with(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    gate = Gate.before(node.getLocalPort());
    things.add(gate);
    echo = new Thread(this::echoEverybody, "echo");
    echo.setDaemon(true);
    echo.start();
  }

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable thing : things) {
      thing.close();
    }
  }

  private void echoEverybody() {
    while (!node.isClosed()) {
      try {
        Socket visitor = node.accept();
        Thread thread =
            new Thread(
                () -> {
                  try (visitor) {
                    visitor.getInputStream().transferTo(visitor.getOutputStream());
                  } catch (IOException gone) {
                    // The visitor was cut off.
                  }
                });
        thread.setDaemon(true);
        thread.start();
      } catch (IOException closed) {
        return;
      }
    }
  }

  private <T extends AutoCloseable> T with(T thing) {
    things.add(thing);
    return thing;
  }

  private Socket connect() throws IOException {
    String address = gate.address();
    int colon = address.indexOf(':');
    Socket socket =
        with(
            new Socket(
                address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))));
    socket.setSoTimeout(LONG_MILLIS);
    return socket;
  }

  private static String say(Socket socket, String word) throws IOException {
    socket.getOutputStream().write(word.getBytes(StandardCharsets.UTF_8));
    return hear(socket, word.length());
  }

  private static String hear(Socket socket, int length) throws IOException {
    return new String(socket.getInputStream().readNBytes(length), StandardCharsets.UTF_8);
  }

  @Test
  void openGatePassesBytesBothWays() throws IOException {
    Socket client = connect();

    assertThat(say(client, "hello")).isEqualTo("hello");
    assertThat(gate.crossings()).isEqualTo(1);
  }

  @Test
  void cutResetsWhatStandsAndWelcomesNewcomers() throws IOException {
    Socket client = connect();
    say(client, "hello");

    assertThat(gate.cut()).isEqualTo(1);

    assertThatThrownBy(() -> hear(client, 1)).isInstanceOf(IOException.class);
    assertThat(gate.crossings()).isZero();
    assertThat(say(connect(), "again")).isEqualTo("again");
  }

  @Test
  void refusingGateResetsOldAndNew() throws IOException {
    Socket client = connect();
    say(client, "hello");

    gate.refuse();

    assertThatThrownBy(() -> hear(client, 1)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> say(connect(), "x").charAt(0)).isInstanceOf(Exception.class);
    gate.open();
    assertThat(say(connect(), "again")).isEqualTo("again");
  }

  @Test
  void stalledGateHoldsBackAndDeliversLate() throws IOException {
    Socket client = connect();
    say(client, "hello");
    gate.stall();
    client.setSoTimeout(SHORT_MILLIS);

    assertThatThrownBy(() -> say(client, "late")).isInstanceOf(SocketTimeoutException.class);

    gate.open();
    client.setSoTimeout(LONG_MILLIS);
    assertThat(hear(client, 4)).isEqualTo("late");
  }

  @Test
  void newcomerOfStalledGateWaitsUntilItOpens() throws IOException {
    gate.stall();
    Socket client = connect();
    client.setSoTimeout(SHORT_MILLIS);
    assertThatThrownBy(() -> say(client, "early")).isInstanceOf(SocketTimeoutException.class);

    gate.open();

    client.setSoTimeout(LONG_MILLIS);
    assertThat(hear(client, 5)).isEqualTo("early");
  }

  @Test
  void deadNodeEndsTheConnection() throws Exception {
    node.close();
    // As long as it is within accept, it can still take one on.
    echo.join();
    Socket client = connect();

    assertThatThrownBy(
            () -> {
              if (say(client, "anybody?").isEmpty()) {
                throw new IOException("ended");
              }
            })
        .isInstanceOf(IOException.class);
  }

  @Test
  void closedGateLetsNobodyInAndNobodyWait() throws IOException {
    Socket client = connect();
    say(client, "hello");
    gate.stall();

    gate.close();

    assertThatThrownBy(() -> hear(client, 1)).isInstanceOf(IOException.class);
    // The kernel may still take a newcomer on in the moment in which the gate stops accepting.
    assertThatThrownBy(() -> hear(connect(), 1)).isInstanceOf(SocketException.class);
  }
}
