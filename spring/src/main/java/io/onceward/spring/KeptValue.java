package io.onceward.spring;

import io.onceward.Bytes;
import io.onceward.Reply;
import org.jspecify.annotations.Nullable;

/** Of a method that is called inside the application: the value that it returns. */
record KeptValue(ReturnForm form) implements Keeping {
  @Override
  public @Nullable Object[] begin(@Nullable Object[] arguments) {
    return arguments;
  }

  @Override
  public Reply keep(@Nullable Object value) {
    return Reply.ok(Bytes.of(form.writeExactly(value)));
  }

  @Override
  public @Nullable Object handOut(@Nullable Object value) {
    return value;
  }

  @Override
  public @Nullable Object replay(Reply reply) {
    return form.read(reply.bytes().toArray());
  }
}
