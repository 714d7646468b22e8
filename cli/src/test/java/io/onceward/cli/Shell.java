package io.onceward.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs commands in this process and keeps what they say. */
final class Shell {
  /** How a command ended and what it printed. */
  record Result(int code, String out, String err) {
    List<String> lines() {
      return out.lines().toList();
    }

    /** The only line of the output, as JSON. */
    Map<String, Object> json() {
      return JsonText.object(out.strip());
    }
  }

  private final Map<String, String> environment = new HashMap<>();
  private byte[] input = {};
  private boolean full;

  /** Lets every write of results fail, as on a full disk. */
  Shell outputFull() {
    full = true;
    return this;
  }

  Shell with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  Shell input(byte[] bytes) {
    input = bytes.clone();
    return this;
  }

  private static final class FullDisk extends OutputStream {
    @Override
    public void write(int b) throws IOException {
      throw new IOException("No space left on device");
    }
  }

  Result run(String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            new ByteArrayInputStream(input),
            full ? ResultStream.to(new FullDisk()) : ResultStream.to(out),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            environment);
    int code = Main.run(terminal, List.of(words));
    return new Result(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
