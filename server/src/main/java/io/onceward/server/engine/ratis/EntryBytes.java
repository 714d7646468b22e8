package io.onceward.server.engine.ratis;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteOutput;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of an entry as they came from a peer or from a file. They have an array of their own
 * already, almost always, and nobody writes to it: no need to copy 100 KiB per entry.
 */
final class EntryBytes extends ByteOutput {
  private byte @Nullable [] whole;

  private EntryBytes() {}

  static byte[] of(ByteString bytes) {
    EntryBytes out = new EntryBytes();
    try {
      UnsafeByteOperations.unsafeWriteTo(bytes, out);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    return out.whole != null && out.whole.length == bytes.size() ? out.whole : bytes.toByteArray();
  }

  @Override
  public void writeLazy(byte[] value, int offset, int length) {
    if (offset == 0 && length == value.length) {
      whole = value;
    }
  }

  @Override
  public void writeLazy(ByteBuffer value) {}

  @Override
  public void write(byte value) {}

  @Override
  public void write(byte[] value, int offset, int length) {}

  @Override
  public void write(ByteBuffer value) {}
}
