package io.onceward.http;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.function.Consumer;

/** What the application writes its response to. Always ready: it goes to memory first. */
final class CaptureStream extends ServletOutputStream {
  private final CapturedResponse response;
  private final Consumer<Runnable> later;
  private final byte[] one = new byte[1];
  private boolean closed;

  CaptureStream(CapturedResponse response, Consumer<Runnable> later) {
    this.response = response;
    this.later = later;
  }

  @Override
  public void write(int b) throws IOException {
    one[0] = (byte) b;
    write(one, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int count) throws IOException {
    if (closed) {
      throw new IOException("the response is closed");
    }
    response.write(bytes, offset, count);
  }

  @Override
  public void flush() throws IOException {
    if (!closed) {
      response.flushed();
    }
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      response.flushed();
      closed = true;
    }
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void setWriteListener(WriteListener listener) {
    later.accept(
        () -> {
          try {
            listener.onWritePossible();
          } catch (IOException | RuntimeException e) {
            listener.onError(e);
          }
        });
  }
}
