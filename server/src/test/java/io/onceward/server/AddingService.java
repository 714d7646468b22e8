package io.onceward.server;

import io.onceward.Bytes;
import io.onceward.Command;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * Adds numbers that are written as text; "die" stops the node, "" is a business error. Questions
 * may fail too.
 */
final class AddingService implements Service {
  private long total;

  @Override
  public Reply execute(Command command) {
    String text = command.payload().asText();
    if (text.equals("die")) {
      throw new StackOverflowError("asked to");
    }
    if (text.isEmpty()) {
      return Reply.businessError("nothing to add");
    }
    total += Long.parseLong(text);
    return Reply.ok(Long.toString(total));
  }

  @Override
  public Reply query(Command question) {
    String text = question.payload().asText();
    if (text.equals("overflow")) {
      throw new StackOverflowError("asked to");
    } else if (text.equals("memory")) {
      throw new OutOfMemoryError("asked to");
    }
    return Reply.ok(Bytes.utf8(Long.toString(total)));
  }

  @Override
  public Frozen freeze() {
    byte[] state = ByteBuffer.allocate(Long.BYTES).putLong(total).array();
    return out -> out.write(state);
  }

  @Override
  public void restore(InputStream in) throws IOException {
    total = ByteBuffer.wrap(in.readAllBytes()).getLong();
  }
}
