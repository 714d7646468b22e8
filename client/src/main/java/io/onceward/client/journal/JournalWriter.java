package io.onceward.client.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * The end of a journal, where batches are added. Each batch is durable before the next one begins:
 * the disk may keep what was written last and lose what was written before, and a sound batch
 * behind a broken one is damage.
 */
final class JournalWriter implements Closeable {
  private final FileChannel file;
  private long batches;

  /**
   * Goes on behind what is sound of a file. All of that is durable from now on: whoever wrote it
   * may have been killed before it was, and this process relies on it.
   *
   * @param batches how many are sound
   */
  JournalWriter(FileChannel file, long soundBytes, long batches) throws IOException {
    this.file = file;
    this.batches = batches;
    file.truncate(soundBytes);
    // The rest of a longer batch must not come back behind a shorter one.
    file.force(true);
    file.position(soundBytes);
  }

  /**
   * Adds a batch.
   *
   * @param records each preceded by its length
   */
  void add(byte[] records) throws IOException {
    write(file, JournalImage.batch(batches + 1, records, records.length));
    file.force(false);
    batches++;
  }

  boolean isOpen() {
    return file.isOpen();
  }

  /** How long the file is. */
  long bytes() throws IOException {
    return file.position();
  }

  static void write(FileChannel out, byte[] content) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(content);
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
