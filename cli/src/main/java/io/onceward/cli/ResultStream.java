package io.onceward.cli;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Where results go. A {@link PrintStream} swallows exceptions; this one keeps the first, so that a
 * full disk or a closed pipe ends with a message and an exit code.
 */
final class ResultStream extends PrintStream {
  private final Recording to;

  private ResultStream(Recording to) {
    super(to, true, StandardCharsets.UTF_8);
    this.to = to;
  }

  static ResultStream to(OutputStream out) {
    return new ResultStream(new Recording(out));
  }

  /** The standard output of this process. */
  static ResultStream ofProcess() {
    return to(new FileOutputStream(java.io.FileDescriptor.out));
  }

  /** Why something that was printed did not get out, or null if all did. */
  static @Nullable String problem(PrintStream stream) {
    if (!stream.checkError()) {
      return null;
    }
    IOException first = stream instanceof ResultStream results ? results.to.problem : null;
    return first == null || first.getMessage() == null
        ? "writing failed"
        : String.valueOf(first.getMessage());
  }

  private static final class Recording extends OutputStream {
    private final OutputStream out;
    private volatile @Nullable IOException problem;

    Recording(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      try {
        out.write(bytes, from, length);
      } catch (IOException failed) {
        throw kept(failed);
      }
    }

    @Override
    public void flush() throws IOException {
      try {
        out.flush();
      } catch (IOException failed) {
        throw kept(failed);
      }
    }

    private IOException kept(IOException failed) {
      if (problem == null) {
        problem = failed;
      }
      return failed;
    }
  }
}
