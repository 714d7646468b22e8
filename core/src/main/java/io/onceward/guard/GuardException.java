package io.onceward.guard;

import io.onceward.Executed;
import io.onceward.Reply;
import org.jspecify.annotations.Nullable;

/**
 * There is no result to give. Says whether the request took effect and what to do next. {@link
 * Once} throws it, and so may whoever has a {@link Ruling} and callers that want results.
 */
public abstract class GuardException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient GuardedId id;
  private final transient Ruling ruling;
  private final Executed executed;
  private final boolean mayResend;

  GuardException(
      GuardedId id, Ruling ruling, boolean mayResend, String message, @Nullable Throwable cause) {
    super(message + " (request " + id.key() + ")", cause);
    this.id = id;
    this.ruling = ruling;
    executed = ruling.executed();
    this.mayResend = mayResend;
  }

  /** The exception for a ruling whose result cannot be given, or that has none. */
  public static GuardException of(GuardedId id, Ruling ruling) {
    return of(id, ruling, null);
  }

  /**
   * The same.
   *
   * @param cause why the result of a {@link Ruling.Replied} cannot be given; the other rulings know
   *     their causes
   */
  public static GuardException of(GuardedId id, Ruling ruling, @Nullable Throwable cause) {
    if (ruling instanceof Ruling.Replied replied) {
      return replied.reply().kind() == Reply.Kind.BUSINESS_ERROR
          ? new BusinessErrorException(id, replied, replied.reply().bytes(), cause)
          : new ReplyNotKeptException(id, replied, cause);
    }
    if (ruling instanceof Ruling.Refused refused) {
      return new RefusedByGuardException(id, refused);
    }
    if (ruling instanceof Ruling.InProgress inProgress) {
      return new InProgressException(id, inProgress);
    }
    if (ruling instanceof Ruling.Unknown unknown) {
      return new UnknownOutcomeException(id, unknown);
    }
    if (ruling instanceof Ruling.DidNotHappen didNotHappen) {
      return new DidNotHappenException(id, didNotHappen);
    }
    return new StoreAwayException(id, (Ruling.NoStore) ruling);
  }

  public GuardedId id() {
    return id;
  }

  /** All that is known. */
  public Ruling ruling() {
    return ruling;
  }

  /** What is known about the effect of the request. */
  public Executed executed() {
    return executed;
  }

  /** Whether sending the same id again can lead to a decision. */
  public boolean mayResend() {
    return mayResend;
  }
}
