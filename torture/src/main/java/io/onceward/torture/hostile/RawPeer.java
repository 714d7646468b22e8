package io.onceward.torture.hostile;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A socket to the victim. It never waits: what the socket does not take at once waits here and goes
 * first the next time, and a peer with bytes in waiting takes no more, so that an attacker costs
 * itself no memory.
 */
final class RawPeer implements AutoCloseable {
  private static final int WINDOW = 65_535;

  /** A longer frame of the victim is not looked at. There are thousands of peers: it is small. */
  private static final int LOOKED_AT_BYTES = 4_096;

  private static final int READ_BYTES = LOOKED_AT_BYTES + 512;

  private final SocketChannel channel;
  private ByteBuffer unsent = ByteBuffer.allocate(0);
  private final ByteBuffer heard =
      ByteBuffer.allocate(READ_BYTES).order(ByteOrder.BIG_ENDIAN).limit(0);
  private long sent;
  private String end = "";

  /** What may still be sent by the windows of HTTP/2; the stream's is that of all streams. */
  private long connectionWindow = WINDOW;

  private long streamWindow = WINDOW;
  private int toSkip;
  private @Nullable ByteArrayOutputStream answers;

  private RawPeer(SocketChannel channel) {
    this.channel = channel;
  }

  /** Begins to connect, which on loopback takes no time unless the victim has no room for it. */
  static RawPeer connect(int port) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return new RawPeer(channel);
    } catch (IOException problem) {
      channel.close();
      throw problem;
    }
  }

  /** Why the victim ended this connection; empty while it has not. */
  String end() {
    return end;
  }

  boolean isOpen() {
    return end.isEmpty();
  }

  long sent() {
    return sent;
  }

  /** Sends, unless the victim does not take what was sent before; gives whether it did. */
  boolean send(byte[] bytes) {
    if (!flush()) {
      return false;
    }
    unsent = ByteBuffer.wrap(bytes);
    flush();
    return true;
  }

  /** Whether everything that was sent has left. */
  boolean flush() {
    if (!end.isEmpty()) {
      return false;
    }
    try {
      if (unsent.hasRemaining() && !channel.finishConnect()) {
        return false;
      }
      while (unsent.hasRemaining()) {
        int written = channel.write(unsent);
        if (written == 0) {
          return false;
        }
        sent += written;
      }
      return true;
    } catch (IOException closed) {
      listen();
      ended("reset");
      return false;
    }
  }

  /**
   * Sends part of a message as data of stream 1, as far as the windows allow.
   *
   * @return how many bytes, from the offset on
   */
  int sendData(byte[] bytes, int offset) {
    int length =
        (int)
            Math.min(
                Math.min(bytes.length - offset, Frames.PAYLOAD_BYTES),
                Math.min(connectionWindow, streamWindow));
    if (length <= 0 || !send(Frames.data(1, Arrays.copyOfRange(bytes, offset, offset + length)))) {
      return 0;
    }
    connectionWindow -= length;
    streamWindow -= length;
    return length;
  }

  /** Answers, as HTTP/2 asks of everyone; who has not said a word yet stays silent. */
  private void reply(byte[] frame) {
    if (sent > 0) {
      send(frame);
    }
  }

  /** Takes in what the victim said: its windows, and why it ends. What it answers is dropped. */
  void listen() {
    try {
      while (end.isEmpty() && channel.finishConnect()) {
        heard.compact();
        int count = channel.read(heard);
        heard.flip();
        if (count < 0) {
          ended("closed");
        }
        if (count <= 0) {
          return;
        }
        parse();
      }
    } catch (IOException closed) {
      ended("reset");
    }
  }

  private void parse() {
    while (true) {
      int skipped = Math.min(toSkip, heard.remaining());
      heard.position(heard.position() + skipped);
      toSkip -= skipped;
      if (toSkip > 0 || heard.remaining() < Frames.HEADER_BYTES) {
        return;
      }
      int at = heard.position();
      int length = (heard.get(at) & 0xff) << 16 | heard.getShort(at + 1) & 0xffff;
      int type = heard.get(at + 3);
      boolean small = length <= LOOKED_AT_BYTES;
      if (small && heard.remaining() < Frames.HEADER_BYTES + length) {
        return;
      }
      int flags = heard.get(at + 4);
      int stream = heard.getInt(at + 5);
      heard.position(at + Frames.HEADER_BYTES);
      if (type == Frames.DATA && length > 0) {
        give(stream, length);
      }
      if (!small || type == Frames.DATA && answers == null) {
        toSkip = length;
      } else {
        byte[] payload = new byte[length];
        heard.get(payload);
        understand(type, flags, stream, ByteBuffer.wrap(payload));
      }
    }
  }

  private static byte[] rest(ByteBuffer payload) {
    byte[] rest = new byte[payload.remaining()];
    payload.get(rest);
    return rest;
  }

  private void understand(int type, int flags, int stream, ByteBuffer payload) {
    switch (type) {
      case Frames.SETTINGS -> {
        if ((flags & Frames.ACK) == 0) {
          while (payload.remaining() >= 6) {
            int id = payload.getShort();
            int value = payload.getInt();
            streamWindow += id == Frames.SETTING_INITIAL_WINDOW ? value - WINDOW : 0;
          }
          reply(Frames.frame(Frames.SETTINGS, Frames.ACK, 0));
        }
      }
      case Frames.WINDOW_UPDATE -> {
        if (stream == 0) {
          connectionWindow += payload.getInt();
        } else {
          streamWindow += payload.getInt();
        }
      }
      case Frames.PING -> {
        if ((flags & Frames.ACK) == 0) {
          reply(Frames.frame(Frames.PING, Frames.ACK, 0, rest(payload)));
        }
      }
      case Frames.GOAWAY -> {
        payload.getInt();
        int code = payload.getInt();
        ended("goaway " + code + " " + new String(rest(payload), StandardCharsets.UTF_8));
      }
      case Frames.HEADERS -> {
        if ((flags & Frames.END_STREAM) != 0) {
          ended("stream ended: " + trailers(rest(payload)));
        }
      }
      case Frames.DATA -> {
        if (answers != null) {
          answers.writeBytes(rest(payload));
        }
      }
      case Frames.RST_STREAM -> ended("stream reset " + payload.getInt());
      default -> {}
    }
  }

  /** From now on short answers are kept, until {@link #answers} takes them. */
  void keepAnswers() {
    answers = new ByteArrayOutputStream();
  }

  /** The whole messages among what was answered. */
  List<byte[]> answers() {
    List<byte[]> messages = new ArrayList<>();
    if (answers == null) {
      return messages;
    }
    ByteBuffer bytes = ByteBuffer.wrap(answers.toByteArray());
    while (bytes.remaining() >= 5 && bytes.remaining() - 5 >= bytes.getInt(bytes.position() + 1)) {
      bytes.get();
      byte[] message = new byte[bytes.getInt()];
      bytes.get(message);
      messages.add(message);
    }
    answers.reset();
    answers.write(bytes.array(), bytes.position(), bytes.remaining());
    return messages;
  }

  /** The readable part of trailers; servers of gRPC leave their words as they are. */
  private static String trailers(byte[] block) {
    String text = new String(block, StandardCharsets.US_ASCII).replaceAll("[^ -~]+", " ");
    int at = text.indexOf("grpc-message");
    return at < 0 ? "no message" : text.substring(at + "grpc-message".length()).trim();
  }

  /** Lets the victim go on sending. */
  private void give(int stream, int length) {
    send(Frames.join(Frames.windowUpdate(0, length), Frames.windowUpdate(stream, length)));
  }

  private void ended(String why) {
    if (end.isEmpty()) {
      end = why.trim();
    }
  }

  @Override
  public void close() {
    ended("left");
    try {
      channel.close();
    } catch (IOException problem) {
      // It is gone either way.
    }
  }
}
