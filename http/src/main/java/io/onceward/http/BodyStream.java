package io.onceward.http;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Consumer;

/** A body that was read already, for the application to read again. Never waits for anything. */
final class BodyStream extends ServletInputStream {
  private final byte[] bytes;
  private final Consumer<Runnable> later;
  private int at;

  /**
   * A stream from the first byte on.
   *
   * @param later runs the callbacks of a listener, on a thread of the container
   */
  BodyStream(byte[] bytes, Consumer<Runnable> later) {
    this.bytes = bytes;
    this.later = later;
  }

  @Override
  public int read() {
    return at < bytes.length ? bytes[at++] & 0xff : -1;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    if (at == bytes.length) {
      return -1;
    }
    int n = Math.min(length, bytes.length - at);
    System.arraycopy(bytes, at, target, offset, n);
    at += n;
    return n;
  }

  /** What is left is known: no need to grow a buffer towards it. */
  @Override
  public byte[] readAllBytes() {
    byte[] rest = Arrays.copyOfRange(bytes, at, bytes.length);
    at = bytes.length;
    return rest;
  }

  @Override
  public int available() {
    return bytes.length - at;
  }

  @Override
  public boolean isFinished() {
    return at == bytes.length;
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void setReadListener(ReadListener listener) {
    later.accept(
        () -> {
          try {
            if (!isFinished()) {
              listener.onDataAvailable();
            }
            if (isFinished()) {
              listener.onAllDataRead();
            }
          } catch (IOException | RuntimeException e) {
            listener.onError(e);
          }
        });
  }
}
