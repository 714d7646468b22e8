package io.onceward.client;

import io.onceward.Bytes;
import io.onceward.Key;
import io.onceward.services.LeaseCommand;
import io.onceward.services.LeaseReply;
import io.onceward.services.ServiceDirectory;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The lease service. Futures fail with {@link BusinessErrorException} where the service declines,
 * as when somebody else holds the lease; the message tells who and until when.
 */
public final class Leases extends TypedClient {

  public Leases(Session session) {
    super(ServiceDirectory.LEASE, session);
  }

  private Leases(Keyed keyed) {
    super(ServiceDirectory.LEASE, keyed);
  }

  /** Requests go through the session. */
  public static Leases in(Session session) {
    return new Leases(session);
  }

  /** Requests have keys: those that are given, or new dated ones. */
  public static Leases of(Keyed keyed) {
    return new Leases(keyed);
  }

  /** Takes a lease that nobody holds; gives its fencing token and when it is over. */
  public CompletableFuture<LeaseReply.Granted> acquire(String name, String holder, Duration ttl) {
    return submit(acquiring(name, holder, ttl), Leases::granted);
  }

  public CompletableFuture<LeaseReply.Granted> acquire(
      Key key, String name, String holder, Duration ttl) {
    return submit(key, acquiring(name, holder, ttl), Leases::granted);
  }

  /** Lets a lease live for so long from now. */
  public CompletableFuture<LeaseReply.Granted> renew(
      String name, String holder, long token, Duration ttl) {
    return submit(renewing(name, holder, token, ttl), Leases::granted);
  }

  public CompletableFuture<LeaseReply.Granted> renew(
      Key key, String name, String holder, long token, Duration ttl) {
    return submit(key, renewing(name, holder, token, ttl), Leases::granted);
  }

  /** Gives a lease back. */
  public CompletableFuture<Void> release(String name, String holder, long token) {
    return submit(releasing(name, holder, token), LeaseReply::decode).thenAccept(released -> {});
  }

  public CompletableFuture<Void> release(Key key, String name, String holder, long token) {
    return submit(key, releasing(name, holder, token), LeaseReply::decode)
        .thenAccept(released -> {});
  }

  /** Who holds it, read linearizably; empty if nobody does. */
  public CompletableFuture<Optional<LeaseReply.Held>> get(String name) {
    return query(LeaseCommand.encode(new LeaseCommand.Get(name)), Leases::held);
  }

  private static Bytes acquiring(String name, String holder, Duration ttl) {
    return LeaseCommand.encode(new LeaseCommand.Acquire(name, holder, ttl.toMillis()));
  }

  private static Bytes renewing(String name, String holder, long token, Duration ttl) {
    return LeaseCommand.encode(new LeaseCommand.Renew(name, holder, token, ttl.toMillis()));
  }

  private static Bytes releasing(String name, String holder, long token) {
    return LeaseCommand.encode(new LeaseCommand.Release(name, holder, token));
  }

  private static LeaseReply.Granted granted(Bytes reply) {
    return (LeaseReply.Granted) LeaseReply.decode(reply);
  }

  private static Optional<LeaseReply.Held> held(Bytes reply) {
    return LeaseReply.decode(reply) instanceof LeaseReply.Held held
        ? Optional.of(held)
        : Optional.empty();
  }
}
