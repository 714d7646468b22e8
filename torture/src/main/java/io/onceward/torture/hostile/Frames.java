package io.onceward.torture.hostile;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * HTTP/2 frames as bytes (RFC 9113), written by hand: a library would refuse to write most of what
 * is wanted here.
 */
final class Frames {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;

  static final int ACK = 1;
  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;

  static final int SETTING_INITIAL_WINDOW = 4;
  static final int HEADER_BYTES = 9;

  /** The longest payload that a server accepts unless it says otherwise. */
  static final int PAYLOAD_BYTES = 16_384;

  static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private Frames() {}

  static byte[] frame(int type, int flags, int stream, byte... payload) {
    return frame(type, flags, stream, payload.length, payload);
  }

  /** A frame whose header may lie about the length of what follows. */
  static byte[] frame(int type, int flags, int stream, int announced, byte[] payload) {
    return ByteBuffer.allocate(HEADER_BYTES + payload.length)
        .put((byte) (announced >> 16))
        .putShort((short) announced)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  /** Preface and settings, with which every connection begins. */
  static byte[] hello() {
    return join(PREFACE, frame(SETTINGS, 0, 0));
  }

  /** The same, of a peer that lets nothing be sent to it. */
  static byte[] helloWithoutWindow() {
    return join(PREFACE, setting(SETTING_INITIAL_WINDOW, 0));
  }

  static byte[] setting(int id, int value) {
    return frame(SETTINGS, 0, 0, ByteBuffer.allocate(6).putShort((short) id).putInt(value).array());
  }

  static byte[] ping() {
    return frame(PING, 0, 0, new byte[8]);
  }

  static byte[] reset(int stream) {
    return frame(RST_STREAM, 0, stream, number(8));
  }

  static byte[] windowUpdate(int stream, int increment) {
    return frame(WINDOW_UPDATE, 0, stream, number(increment));
  }

  /** Begins a call of a gRPC method. */
  static byte[] call(int stream, String path) {
    return frame(HEADERS, END_HEADERS, stream, callHeaders(path));
  }

  static byte[] callHeaders(String path) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    // From the static table of HPACK: method POST, scheme http.
    block.write(0x83);
    block.write(0x86);
    header(block, ":path", path);
    header(block, ":authority", "localhost");
    header(block, "content-type", "application/grpc");
    header(block, "te", "trailers");
    return block.toByteArray();
  }

  /** One header, in plain text, not to be remembered. */
  static void header(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    text(block, name);
    text(block, value);
  }

  private static void text(ByteArrayOutputStream block, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    if (bytes.length < 127) {
      block.write(bytes.length);
    } else {
      block.write(127);
      int rest = bytes.length - 127;
      for (; rest >= 128; rest >>>= 7) {
        block.write(rest & 127 | 128);
      }
      block.write(rest);
    }
    block.writeBytes(bytes);
  }

  /** What stands before a message of gRPC: it is not compressed, and so long. */
  static byte[] messageHead(int length) {
    return ByteBuffer.allocate(5).put((byte) 0).putInt(length).array();
  }

  static byte[] message(byte[] body) {
    return join(messageHead(body.length), body);
  }

  static byte[] data(int stream, byte[] bytes) {
    return frame(DATA, 0, stream, bytes);
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static byte[] number(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }
}
