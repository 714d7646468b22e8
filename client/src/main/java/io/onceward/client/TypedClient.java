package io.onceward.client;

import io.onceward.Bytes;
import io.onceward.Key;
import io.onceward.Reply;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Speaks to one service, in a session or by keys. */
abstract class TypedClient {
  private final String service;
  private final @Nullable Session session;
  private final @Nullable Keyed keyed;

  TypedClient(String service, Session session) {
    this.service = service;
    this.session = session;
    this.keyed = null;
  }

  TypedClient(String service, Keyed keyed) {
    this.service = service;
    this.session = null;
    this.keyed = keyed;
  }

  /** In the session, or under a new key. */
  final <T> CompletableFuture<T> submit(Bytes command, Function<Bytes, T> read) {
    return session != null
        ? session.submit(service, command).thenApply(decided -> read.apply(decided.bytes()))
        : submit(keyed().newKey(), command, read);
  }

  final <T> CompletableFuture<T> submit(Key key, Bytes command, Function<Bytes, T> read) {
    return keyed().submit(key, service, command).thenApply(decided -> read.apply(decided.bytes()));
  }

  final <T> CompletableFuture<T> query(Bytes question, Function<Bytes, T> read) {
    CompletableFuture<Reply> reply =
        session != null ? session.query(service, question) : keyed().query(service, question);
    return reply.thenApply(told -> read.apply(Replies.bytes(told, null)));
  }

  private Keyed keyed() {
    if (keyed == null) {
      throw new IllegalStateException(
          "requests of a session have sequences, not keys; make this client with of(keyed)");
    }
    return keyed;
  }
}
