package io.onceward.guard;

import io.onceward.Fingerprint;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a caller asks the guard to do once.
 *
 * @param fingerprint of what is asked, to catch an id that is used for something else (E7); null
 *     for a caller who chooses not to check
 * @param operation the kind of request, such as {@code charge}: for metrics and for people
 * @param memo what a probe or an operator needs to find out what happened, such as an order number;
 *     stored with the claim, at most {@link #MAX_MEMO_BYTES} bytes of UTF-8; no secrets
 */
public record Ask(GuardedId id, @Nullable Fingerprint fingerprint, String operation, String memo) {
  public static final int MAX_MEMO_BYTES = 1024;
  public static final int MAX_OPERATION_BYTES = 128;

  public Ask {
    Objects.requireNonNull(id, "id");
    Limit.check("the name of an operation", operation, MAX_OPERATION_BYTES);
    Limit.check("a memo", memo, MAX_MEMO_BYTES);
  }

  public Ask(GuardedId id, @Nullable Fingerprint fingerprint, String operation) {
    this(id, fingerprint, operation, "");
  }
}
