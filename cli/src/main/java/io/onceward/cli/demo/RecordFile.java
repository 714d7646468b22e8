package io.onceward.cli.demo;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

/**
 * The record of one client process, only ever appended to. A line is in the hands of the operating
 * system before {@link #write} returns, so that it outlives a killed writer. Each process has a
 * file of its own, so only the last line of a file can be cut short.
 */
final class RecordFile implements Closeable {
  private final FileChannel channel;

  private RecordFile(FileChannel channel) {
    this.channel = channel;
  }

  static RecordFile create(Path path) throws IOException {
    return new RecordFile(
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
  }

  synchronized void write(Line line) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap((line.print() + "\n").getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  /**
   * Hands over every whole line, in order.
   *
   * @throws IOException if the file cannot be read, or a line of it is not one
   */
  static void read(Path path, Consumer<Line> reader) throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(path)) {
      StringBuilder line = new StringBuilder();
      for (int c = lines.read(); c >= 0; c = lines.read()) {
        if (c != '\n') {
          line.append((char) c);
          continue;
        }
        try {
          reader.accept(Line.parse(line.toString()));
        } catch (IllegalArgumentException wrong) {
          throw new IOException(path.getFileName() + ": " + wrong.getMessage(), wrong);
        }
        line.setLength(0);
      }
    }
  }
}
