package io.onceward.spring;

import io.onceward.Bytes;
import io.onceward.Reply;
import org.jspecify.annotations.Nullable;

/**
 * Of a method that is called inside the application: the value that it returns. All callers are
 * given what is read back from what is remembered, the first as well.
 */
final class KeptValue implements Keeping {
  private final ReturnForm form;
  private @Nullable Object readBack;

  KeptValue(ReturnForm form) {
    this.form = form;
  }

  @Override
  public @Nullable Object[] begin(@Nullable Object[] arguments) {
    readBack = null;
    return arguments;
  }

  @Override
  public Reply keep(@Nullable Object value) {
    byte[] bytes = form.writeExactly(value);
    readBack = form.read(bytes);
    return Reply.ok(Bytes.of(bytes));
  }

  @Override
  public @Nullable Object handOut(@Nullable Object value) {
    return readBack;
  }

  @Override
  public @Nullable Object replay(Reply reply) {
    return form.read(reply.bytes().toArray());
  }
}
