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
 * whether it rolled everything back (G2). Some statuses below 500 hold for a moment only and are
 * not remembered either. Those that refuse a request before it is processed did not happen: 401 and
 * 407 (credentials), 421 (the wrong server), 425 (too early), 429 (too many requests). Those by
 * which the application gave up leave it unknown: 408 and 499.
 */
public final class Route {
  static final int DEFAULT_MAX_REQUEST_BYTES = 1 << 20;

  /** As Tomcat and Jetty have it. */
  private static final int DEFAULT_MAX_PARAMETERS = 1000;

  private static final int FIRST_CLIENT_ERROR = 400;
  private static final int MISMATCH = 422;
  private static final int TOO_MANY_REQUESTS = 429;

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
  private int maxParameters = DEFAULT_MAX_PARAMETERS;
  private boolean streamed;
  private KeySource keySource = KeySource.IDEMPOTENCY_KEY;
  private BodyComparison bodies = BodyComparison.BYTES;
  private int mismatchStatus = MISMATCH;

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
   * What this one status means, such as 429 {@link Meaning#UNKNOWN} where the application passes on
   * what somebody else answered in the middle of its work.
   */
  public Route status(int status, Meaning meaning) {
    Route copy = copy();
    Map<Integer, Meaning> more = new TreeMap<>(statuses);
    more.put(status, Objects.requireNonNull(meaning, "meaning"));
    copy.statuses = Map.copyOf(more);
    return copy;
  }

  /** The same of several statuses; what was said of others before stays. */
  public Route statuses(Map<Integer, Meaning> meanings) {
    Route changed = this;
    for (Map.Entry<Integer, Meaning> each : meanings.entrySet()) {
      changed = changed.status(each.getKey(), each.getValue());
    }
    return changed;
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
   * How many parameters a form may have (default 1000); one with more gets 413. They are read in
   * place of the container, so its own limit does not hold for them.
   */
  public Route maxParameters(int parameters) {
    if (parameters < 1) {
      throw new IllegalArgumentException("maxParameters is at least 1, got " + parameters);
    }
    Route copy = copy();
    copy.maxParameters = parameters;
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

  /**
   * Where the key of a request is, for callers who do not know of {@code Idempotency-Key}. A route
   * whose key is in the body reads each body, whether it has one or not.
   */
  public Route keyFrom(KeySource source) {
    Route copy = copy();
    copy.keySource = Objects.requireNonNull(source, "source");
    return copy;
  }

  /** When two bodies under one key are the same. Default: {@link BodyComparison#BYTES}. */
  public Route bodies(BodyComparison comparison) {
    Route copy = copy();
    copy.bodies = Objects.requireNonNull(comparison, "comparison");
    return copy;
  }

  /**
   * The status of a request whose key was used for something else. Default 422, as the draft of the
   * IETF has it; some protocols ask for 409.
   */
  public Route mismatchStatus(int status) {
    if (status < FIRST_CLIENT_ERROR || Statuses.isServerError(status)) {
      throw new IllegalArgumentException("a mismatch is an error of the client, got " + status);
    }
    Route copy = copy();
    copy.mismatchStatus = status;
    return copy;
  }

  KeySource keySource() {
    return keySource;
  }

  int mismatchStatus() {
    return mismatchStatus;
  }

  /** What stands for the body in comparisons, with a mark of how it is compared. */
  Compared compared(RequestBody body) {
    byte[] json =
        bodies == BodyComparison.JSON && !body.inContainer()
            ? JsonText.canonical(body.bytes())
            : null;
    return json == null ? new Compared("", body.digested()) : new Compared("\njson", json);
  }

  /**
   * A body as it is compared.
   *
   * @param mark apart from bytes that happen to be the canonical form
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Compared(String mark, byte[] bytes) {}

  Need need() {
    return need;
  }

  @Nullable String name() {
    return name;
  }

  int maxRequestBytes() {
    return maxRequestBytes;
  }

  int maxParameters() {
    return maxParameters;
  }

  boolean isHandedOutAsWritten() {
    return streamed;
  }

  /** What a returned status means; a remembered one is a "business error" here, whatever it is. */
  public Meaning meaningOf(int status) {
    Meaning meaning = statuses.get(status);
    if (meaning != null) {
      return meaning;
    }
    if (Statuses.isServerError(status)) {
      return serverErrors;
    }
    return status == TOO_MANY_REQUESTS ? Meaning.DID_NOT_HAPPEN : Statuses.meaningOf(status);
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
    copy.maxParameters = maxParameters;
    copy.streamed = streamed;
    copy.keySource = keySource;
    copy.bodies = bodies;
    copy.mismatchStatus = mismatchStatus;
    return copy;
  }
}
