package io.onceward.client;

import io.onceward.Bytes;
import io.onceward.Key;
import io.onceward.services.CounterCommand;
import io.onceward.services.CounterReply;
import io.onceward.services.ServiceDirectory;
import java.util.concurrent.CompletableFuture;

/**
 * The counter service. Futures fail with {@link BusinessErrorException} where the service declines,
 * as when a counter would overflow.
 */
public final class Counters extends TypedClient {

  public Counters(Session session) {
    super(ServiceDirectory.COUNTER, session);
  }

  private Counters(Keyed keyed) {
    super(ServiceDirectory.COUNTER, keyed);
  }

  /** Requests go through the session. */
  public static Counters in(Session session) {
    return new Counters(session);
  }

  /** Requests have keys: those that are given, or new dated ones. */
  public static Counters of(Keyed keyed) {
    return new Counters(keyed);
  }

  /** Adds to a counter, which is at 0 before the first time; gives its new value. */
  public CompletableFuture<Long> add(String name, long amount) {
    return submit(adding(name, amount), Counters::value);
  }

  /** Likewise, under this key: all copies of it together add once. */
  public CompletableFuture<Long> add(Key key, String name, long amount) {
    return submit(key, adding(name, amount), Counters::value);
  }

  /** The value, read linearizably. */
  public CompletableFuture<Long> get(String name) {
    return query(CounterCommand.encode(new CounterCommand.Get(name)), Counters::value);
  }

  private static Bytes adding(String name, long amount) {
    return CounterCommand.encode(new CounterCommand.Add(name, amount));
  }

  private static Long value(Bytes reply) {
    return CounterReply.decode(reply).value();
  }
}
