package io.onceward.services;

import io.onceward.Bytes;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes the state of a service: a version, then values of fixed forms. */
final class StateOutput {
  private static final int BUFFER_BYTES = 32 << 10;

  private final DataOutputStream out;

  StateOutput(OutputStream target, int version) throws IOException {
    out = new DataOutputStream(new BufferedOutputStream(target, BUFFER_BYTES));
    out.writeByte(version);
  }

  void i64(long value) throws IOException {
    out.writeLong(value);
  }

  /** An i32 length, then the bytes. */
  void bytes(Bytes bytes) throws IOException {
    out.writeInt(bytes.length());
    out.write(bytes.toArray());
  }

  void utf8(String text) throws IOException {
    bytes(Bytes.of(text.getBytes(StandardCharsets.UTF_8)));
  }

  void flush() throws IOException {
    out.flush();
  }
}
