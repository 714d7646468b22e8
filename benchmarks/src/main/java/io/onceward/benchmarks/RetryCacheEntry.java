package io.onceward.benchmarks;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The value of a retry cache as Apache Ratis builds it ({@code RetryCacheImpl}): its key, a future
 * for the reply, and a mark for failure.
 */
final class RetryCacheEntry {

  /** Who calls, and which of its calls this is. */
  record CallId(UUID client, long call) {}

  final CallId key;
  final CompletableFuture<Remembered> reply = new CompletableFuture<>();
  volatile boolean failed;

  RetryCacheEntry(CallId key) {
    this.key = key;
  }

  /** What was remembered, or null while the call is new. */
  @Nullable Remembered known() {
    return failed ? null : reply.getNow(null);
  }
}
