package io.onceward.client.journal;

import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A file in memory that knows what a power cut may leave: of all that was done since the last
 * force, any part.
 */
final class PowerCutChannel extends FileChannel {
  private byte[] durable;
  private final List<UnaryOperator<byte[]>> unforced = new ArrayList<>();
  private long position;

  /** Run after each change. */
  Runnable afterEach = () -> {};

  PowerCutChannel(byte[] content) {
    durable = content;
  }

  /** Everything that could be there after a power cut. */
  List<byte[]> images() {
    List<byte[]> images = new ArrayList<>();
    for (int kept = 0; kept < 1 << unforced.size(); kept++) {
      byte[] image = durable;
      for (int i = 0; i < unforced.size(); i++) {
        image = (kept >> i & 1) == 0 ? image : unforced.get(i).apply(image);
      }
      images.add(image);
    }
    return images;
  }

  private byte[] now() {
    List<byte[]> images = images();
    return images.get(images.size() - 1);
  }

  private void change(UnaryOperator<byte[]> change) {
    unforced.add(change);
    afterEach.run();
  }

  @Override
  public int write(ByteBuffer source) {
    byte[] written = new byte[source.remaining()];
    source.get(written);
    int at = (int) position;
    position += written.length;
    change(
        image -> {
          byte[] grown = Arrays.copyOf(image, Math.max(image.length, at + written.length));
          System.arraycopy(written, 0, grown, at, written.length);
          return grown;
        });
    return written.length;
  }

  @Override
  public FileChannel truncate(long size) {
    change(image -> Arrays.copyOf(image, (int) Math.min(size, image.length)));
    position = Math.min(position, size);
    return this;
  }

  @Override
  public void force(boolean metaData) {
    durable = now();
    unforced.clear();
    afterEach.run();
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public FileChannel position(long newPosition) {
    position = newPosition;
    return this;
  }

  @Override
  public long size() {
    return now().length;
  }

  @Override
  protected void implCloseChannel() {}

  // ---- what a writer does not need ------------------------------------------------------------

  @Override
  public int read(ByteBuffer target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int read(ByteBuffer target, long at) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int write(ByteBuffer source, long at) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long transferTo(long at, long count, WritableByteChannel target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long at, long count) {
    throw new UnsupportedOperationException();
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long at, long size) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileLock lock(long at, long size, boolean shared) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileLock tryLock(long at, long size, boolean shared) {
    throw new UnsupportedOperationException();
  }
}
