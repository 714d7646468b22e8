package io.onceward.client;

import io.onceward.Bytes;
import io.onceward.IdText;
import io.onceward.Key;
import io.onceward.services.KeyValueCommand;
import io.onceward.services.KeyValueReply;
import io.onceward.services.ServiceDirectory;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The key-value service. Futures fail with {@link BusinessErrorException} where the service
 * declines, as when the version is not the expected one.
 */
public final class KeyValue extends TypedClient {

  /**
   * A value as it was read.
   *
   * @param version grows with every change of any key
   */
  public record Versioned(Bytes value, long version) {}

  public KeyValue(Session session) {
    super(ServiceDirectory.KEY_VALUE, session);
  }

  private KeyValue(Keyed keyed) {
    super(ServiceDirectory.KEY_VALUE, keyed);
  }

  /** Requests go through the session. */
  public static KeyValue in(Session session) {
    return new KeyValue(session);
  }

  /** Requests have keys of their own: those that are given, or new dated ones. */
  public static KeyValue of(Keyed keyed) {
    return new KeyValue(keyed);
  }

  /** Sets a value; gives its version. */
  public CompletableFuture<Long> put(Bytes key, Bytes value) {
    return submit(putting(key, value), KeyValue::version);
  }

  public CompletableFuture<Long> put(String key, String value) {
    return put(utf8("key", key), utf8("value", value));
  }

  public CompletableFuture<Long> put(Key request, Bytes key, Bytes value) {
    return submit(request, putting(key, value), KeyValue::version);
  }

  /** The value and its version, read linearizably; empty if there is none. */
  public CompletableFuture<Optional<Versioned>> get(Bytes key) {
    return query(KeyValueCommand.encode(new KeyValueCommand.Get(key)), KeyValue::found);
  }

  public CompletableFuture<Optional<Versioned>> get(String key) {
    return get(utf8("key", key));
  }

  /** Deletes a key; tells whether it was there. */
  public CompletableFuture<Boolean> delete(Bytes key) {
    return submit(deleting(key), KeyValue::existed);
  }

  public CompletableFuture<Boolean> delete(String key) {
    return delete(utf8("key", key));
  }

  public CompletableFuture<Boolean> delete(Key request, Bytes key) {
    return submit(request, deleting(key), KeyValue::existed);
  }

  /**
   * Sets a value if the key has this version; gives the new version.
   *
   * @param expectedVersion 0 if the key must not be there
   */
  public CompletableFuture<Long> compareAndSet(Bytes key, long expectedVersion, Bytes value) {
    return submit(comparing(key, expectedVersion, value), KeyValue::version);
  }

  public CompletableFuture<Long> compareAndSet(String key, long expectedVersion, String value) {
    return compareAndSet(utf8("key", key), expectedVersion, utf8("value", value));
  }

  public CompletableFuture<Long> compareAndSet(
      Key request, Bytes key, long expectedVersion, Bytes value) {
    return submit(request, comparing(key, expectedVersion, value), KeyValue::version);
  }

  /**
   * Entries in the order of their keys, read linearizably.
   *
   * @param prefix what the keys begin with; may be empty
   * @param after only keys above this one; empty for the first page
   * @param limit how many at most
   */
  public CompletableFuture<KeyValueReply.Entries> list(Bytes prefix, Bytes after, int limit) {
    Bytes question = KeyValueCommand.encode(new KeyValueCommand.Page(prefix, after, limit));
    return query(question, reply -> as(KeyValueReply.Entries.class, reply));
  }

  private static Bytes putting(Bytes key, Bytes value) {
    return KeyValueCommand.encode(new KeyValueCommand.Put(key, value));
  }

  private static Bytes deleting(Bytes key) {
    return KeyValueCommand.encode(new KeyValueCommand.Delete(key));
  }

  private static Bytes comparing(Bytes key, long expectedVersion, Bytes value) {
    return KeyValueCommand.encode(new KeyValueCommand.CompareAndSet(key, expectedVersion, value));
  }

  private static Long version(Bytes reply) {
    return as(KeyValueReply.Stored.class, reply).version();
  }

  private static Boolean existed(Bytes reply) {
    return as(KeyValueReply.Deleted.class, reply).existed();
  }

  private static Optional<Versioned> found(Bytes reply) {
    return KeyValueReply.decode(reply) instanceof KeyValueReply.Found found
        ? Optional.of(new Versioned(found.value(), found.version()))
        : Optional.empty();
  }

  private static <R> R as(Class<R> kind, Bytes reply) {
    return kind.cast(KeyValueReply.decode(reply));
  }

  /** Two texts must not become one key because UTF-8 cannot express them. */
  private static Bytes utf8(String what, String text) {
    return Bytes.of(IdText.utf8(what, text));
  }
}
