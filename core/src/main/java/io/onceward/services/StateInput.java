package io.onceward.services;

import io.onceward.Bytes;
import io.onceward.replica.Limits;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads what {@link StateOutput} wrote. The snapshot around it is checksummed, but the sum stands
 * at its end: until then nothing is believed, and no more memory taken than a length may ask for.
 */
final class StateInput {
  /** No command is larger, so no value can be. */
  static final int LARGEST_VALUE = Limits.FRAME_BYTES;

  private final String source;
  private final DataInputStream in;

  StateInput(String source, InputStream input, int version) throws IOException {
    this.source = source;
    in = new DataInputStream(new BufferedInputStream(input, 32 << 10));
    int found = in.read();
    if (found < 0) {
      throw cutOff();
    }
    if (found != version) {
      throw new IOException(
          "the state of the "
              + source
              + " has version "
              + found
              + "; this build reads version "
              + version);
    }
  }

  long i64() throws IOException {
    try {
      return in.readLong();
    } catch (EOFException end) {
      throw cutOff();
    }
  }

  /** An i64 from 0 to {@code most}. */
  long number(String what, long most) throws IOException {
    long value = i64();
    if (value < 0 || value > most) {
      throw new IOException(
          "the state of the " + source + " has " + what + " " + value + "; at most " + most);
    }
    return value;
  }

  Bytes bytes(int most) throws IOException {
    int length = length();
    if (length < 0 || length > most) {
      throw new IOException(
          "the state of the " + source + " has a length of " + length + "; at most " + most);
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw cutOff();
    }
    return Bytes.of(bytes);
  }

  private int length() throws IOException {
    try {
      return in.readInt();
    } catch (EOFException end) {
      throw cutOff();
    }
  }

  /** Java's own exception says nothing, and a node that cannot start has to say why. */
  private EOFException cutOff() {
    return new EOFException("the state of the " + source + " is cut off");
  }

  String utf8(int most) throws IOException {
    Bytes encoded = bytes(most);
    String text = encoded.asText();
    // Java reads broken UTF-8 as replacement characters, which are written as other bytes.
    if (text.indexOf('\ufffd') >= 0 && !Bytes.utf8(text).equals(encoded)) {
      throw new IOException("the state of the " + source + " has a text that is not UTF-8");
    }
    return text;
  }

  /** To be called at the end: state that nobody reads is state that nobody restored. */
  void finish() throws IOException {
    if (in.read() >= 0) {
      throw new IOException("the state of the " + source + " goes on behind its end");
    }
  }
}
