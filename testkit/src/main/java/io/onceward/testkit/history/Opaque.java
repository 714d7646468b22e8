package io.onceward.testkit.history;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.testkit.history.search.SequentialModel;
import org.jspecify.annotations.Nullable;

/**
 * A numbered service looked at as if it told no serials: how its bytes are read for a search.
 *
 * @param <S> the state of one key
 * @param <I> what is asked of a key
 */
abstract class Opaque<S, I> implements SequentialModel<S, I, Reply> {

  /** The key that a command or query is about; null if it is about more than one. */
  abstract @Nullable Object key(Bytes payload);

  abstract I input(Bytes payload);

  static @Nullable Opaque<?, ?> of(ServiceKind kind) {
    return switch (kind) {
      case COUNTERS -> new OpaqueCounter();
      case REGISTERS -> new OpaqueRegister();
      case LISTS -> new OpaqueList();
      // A lease ends by log time and a transfer has two keys, so that neither can be taken apart.
      case LEASES, ACCOUNTS, NUMBERED, OPAQUE -> null;
    };
  }
}
