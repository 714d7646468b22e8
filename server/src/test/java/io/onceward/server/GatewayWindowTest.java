package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a peer may send before the node has taken it in, as the node says on the wire (L1). */
class GatewayWindowTest {
  private static final int SETTINGS = 4;
  private static final int WINDOW_UPDATE = 8;
  private static final int INITIAL_WINDOW_SIZE = 4;
  private static final int FIRST_WINDOW = 65_535;
  private static final byte[] HELLO =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(StandardCharsets.US_ASCII);

  @TempDir Path folder;

  @Test
  void windowsOfStreamAndConnectionAreWhatTheLimitsSay() throws Exception {
    try (OncewardServer server =
            OncewardServer.start(
                ServerSettings.alone(folder, FreePorts.one(), FreePorts.one()),
                new AddingService());
        Socket peer = new Socket(InetAddress.getLoopbackAddress(), server.clientPort())) {
      peer.setSoTimeout(10_000);
      peer.getOutputStream().write(HELLO);
      DataInputStream in = new DataInputStream(peer.getInputStream());
      int stream = 0;
      int connection = 0;
      while (stream == 0 || connection == 0) {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        in.readUnsignedByte();
        int id = in.readInt();
        ByteBuffer body = ByteBuffer.wrap(in.readNBytes(length));
        if (type == WINDOW_UPDATE && id == 0) {
          connection = FIRST_WINDOW + body.getInt();
        }
        while (type == SETTINGS && body.hasRemaining()) {
          int setting = body.getShort();
          int value = body.getInt();
          stream = setting == INITIAL_WINDOW_SIZE ? value : stream;
        }
      }
      assertThat(stream).isEqualTo(GatewayLimits.WINDOW_BYTES);
      assertThat(connection).isEqualTo(GatewayLimits.WINDOW_BYTES);
    }
  }
}
