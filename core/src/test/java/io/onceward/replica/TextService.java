package io.onceward.replica;

import io.onceward.Bytes;
import io.onceward.Command;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** A service for tests: it keeps the texts it was given, and fails on demand. */
final class TextService implements Service {
  /** What a service that is compiled without checks for null might return. */
  @SuppressWarnings("NullAway")
  private static final String NULL = null;

  @SuppressWarnings("NullAway")
  private static final Bytes NO_BYTES = null;

  @SuppressWarnings("NullAway")
  private static final Reply NO_REPLY = null;

  private final StringBuilder texts = new StringBuilder();
  int executions;
  String lastAsker = "";
  boolean knowsWhetherItExpires = true;

  @Override
  public Reply execute(Command command) {
    executions++;
    String text = command.payload().asText();
    if (text.equals("throw")) {
      throw new IllegalStateException("on demand");
    }
    if (text.equals("error")) {
      throw new StackOverflowError("on demand");
    }
    if (text.equals("no bytes")) {
      return Reply.ok(NO_BYTES);
    }
    if (text.equals("no reply")) {
      return NO_REPLY;
    }
    if (text.startsWith("big ")) {
      return Reply.ok(Bytes.of(new byte[Integer.parseInt(text.substring(4))]));
    }
    texts.append(text).append(';');
    return text.startsWith("no ")
        ? Reply.businessError(text)
        : Reply.ok(text + "@" + command.position());
  }

  @Override
  public String obstacle(Command command, long bytesLeft) {
    String text = command.payload().asText();
    if (text.equals("odd")) {
      throw new IllegalStateException("on demand");
    }
    if (text.equals("no word")) {
      return NULL;
    }
    return text.startsWith("more") && text.length() > bytesLeft ? "texts" : "";
  }

  @Override
  public boolean canExpire() {
    if (!knowsWhetherItExpires) {
      throw new IllegalStateException("on demand");
    }
    return false;
  }

  @Override
  public long stateBytes() {
    return texts.length() * 1_000L;
  }

  @Override
  public Reply query(Command question) {
    lastAsker = question.principal();
    return question.payload().length() == 0 ? NO_REPLY : Reply.ok(question.payload());
  }

  @Override
  public Frozen freeze() {
    byte[] state = texts.toString().getBytes(StandardCharsets.UTF_8);
    return out -> out.write(state);
  }

  @Override
  public void restore(InputStream in) throws IOException {
    texts.setLength(0);
    texts.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
  }

  String texts() {
    return texts.toString();
  }
}
