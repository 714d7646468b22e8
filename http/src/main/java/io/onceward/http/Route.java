package io.onceward.http;

import io.onceward.guard.Meaning;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What holds for requests of one kind: whether they need a key, what the errors of the application
 * mean, how much is read and remembered. Immutable; each method returns a changed copy.
 *
 * <p>The safe defaults: a status below 500 is a reply and is remembered. A status of 500 and more,
 * or an exception, leaves the outcome unknown, because only the author of the application can know
 * whether it rolled everything back (G2).
 */
public final class Route {
  static final int DEFAULT_MAX_REQUEST_BYTES = 1 << 20;
  private static final int FIRST_SERVER_ERROR = 500;

  enum Need {
    OFF,
    OPTIONAL,
    REQUIRED
  }

  private final Need need;
  private @Nullable String name;
  private Meaning serverErrors = Meaning.UNKNOWN;
  private Map<Integer, Meaning> statuses = Map.of();
  private Function<Throwable, Meaning> exceptions = thrown -> Meaning.UNKNOWN;
  private int maxRequestBytes = DEFAULT_MAX_REQUEST_BYTES;
  private boolean streamed;

  private Route(Need need) {
    this.need = need;
  }

  /** A request with a key is guarded, one without passes. */
  public static Route optional() {
    return new Route(Need.OPTIONAL);
  }

  /** A request without a key is refused with status 400. */
  public static Route required() {
    return new Route(Need.REQUIRED);
  }

  /** The header is not looked at. */
  public static Route unguarded() {
    return new Route(Need.OFF);
  }

  /**
   * A name for this kind of request, such as {@code POST /orders/{id}/payments}. It is the scope of
   * its keys and the operation in metrics, so there must be few of them. Routes given to {@link
   * IdempotencyFilter.Builder#route} are named by their pattern; without a name the scope is method
   * and path, and the operation the method alone.
   */
  public Route named(String name) {
    Route copy = copy();
    copy.name = Objects.requireNonNull(name, "name");
    return copy;
  }

  /**
   * What a status of 500 and more means, and an exception that {@link #exceptions} says nothing
   * else of. {@link Meaning#DID_NOT_HAPPEN} is for handlers whose effects roll back: the key is
   * free again and a retry runs. {@link Meaning#BUSINESS_ERROR} remembers the answer.
   */
  public Route serverErrors(Meaning meaning) {
    Route copy = copy();
    copy.serverErrors = Objects.requireNonNull(meaning, "meaning");
    return copy;
  }

  /**
   * What this one status means, such as 429 {@link Meaning#DID_NOT_HAPPEN} where the application
   * counts requests before it does anything.
   */
  public Route status(int status, Meaning meaning) {
    Route copy = copy();
    Map<Integer, Meaning> more = new TreeMap<>(statuses);
    more.put(status, Objects.requireNonNull(meaning, "meaning"));
    copy.statuses = Map.copyOf(more);
    return copy;
  }

  /**
   * What an exception means that the application let through. {@link Meaning#UNKNOWN} leaves it to
   * {@link #serverErrors}. A {@link Meaning#BUSINESS_ERROR} is remembered as status 500 without the
   * exception's text.
   */
  public Route exceptions(Function<Throwable, Meaning> meaning) {
    Route copy = copy();
    copy.exceptions = Objects.requireNonNull(meaning, "meaning");
    return copy;
  }

  /**
   * The largest body that is read for its fingerprint (default 1 MiB); a larger one gets 413. Parts
   * of a multipart request are left to the container and its own limits.
   */
  public Route maxRequestBytes(int bytes) {
    Route copy = copy();
    if (bytes < 1) {
      throw new IllegalArgumentException("maxRequestBytes is at least 1, got " + bytes);
    }
    copy.maxRequestBytes = bytes;
    return copy;
  }

  /**
   * Hands the response out while it is written, as for {@code text/event-stream}, instead of
   * holding it back until it is recorded. It is remembered all the same if it is small enough. If
   * the process dies before the end, its caller has seen part of an answer whose request then is
   * unknown.
   */
  public Route handedOutAsWritten() {
    Route copy = copy();
    copy.streamed = true;
    return copy;
  }

  Need need() {
    return need;
  }

  @Nullable String name() {
    return name;
  }

  int maxRequestBytes() {
    return maxRequestBytes;
  }

  boolean isHandedOutAsWritten() {
    return streamed;
  }

  /** What a returned status means; a remembered one is a "business error" here, whatever it is. */
  Meaning meaningOf(int status) {
    Meaning meaning = statuses.get(status);
    if (meaning != null) {
      return meaning;
    }
    return status >= FIRST_SERVER_ERROR ? serverErrors : Meaning.BUSINESS_ERROR;
  }

  Meaning meaningOf(Throwable thrown) {
    Meaning meaning = exceptions.apply(thrown);
    return meaning == Meaning.UNKNOWN ? serverErrors : meaning;
  }

  private Route copy() {
    Route copy = new Route(need);
    copy.name = name;
    copy.serverErrors = serverErrors;
    copy.statuses = statuses;
    copy.exceptions = exceptions;
    copy.maxRequestBytes = maxRequestBytes;
    copy.streamed = streamed;
    return copy;
  }
}
