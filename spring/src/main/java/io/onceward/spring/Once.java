package io.onceward.spring;

import io.onceward.guard.Meaning;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets a call of this method take effect once for each request id. A retry with the same id is
 * given what the first was given: the return value, or the business error.
 *
 * <pre>{@code
 * @Once(businessErrors = InsufficientFunds.class)
 * @PostMapping("/payments")
 * ResponseEntity<Payment> pay(@RequestBody Order order) { … }
 * }</pre>
 *
 * <p>The identity of a request is who asks, the {@link #operation}, the {@link #scope} and the key.
 * Which promise holds depends on where the effect is and what the application has; a line at the
 * start says it for each method:
 *
 * <ul>
 *   <li>{@code exactly-once (transaction)}: the effect is business SQL on the application's
 *       PostgreSQL. Claim, SQL and reply commit together. The method is run in a transaction, with
 *       the settings of its {@code @Transactional} if it has one; inside a transaction that is open
 *       already it joins that.
 *   <li>{@code at-most-once with UNKNOWN}: the effect is {@link Effect#OUTSIDE}. If nobody can tell
 *       whether it happened, it is not run again until a probe or an operator has found out.
 *   <li>{@code best effort (memory of this process)}: there is no database.
 * </ul>
 *
 * <p>As with every annotation that Spring acts on, a call from inside the same object is not seen.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Once {
  /** For {@link #fingerprint}: the arguments are not compared. */
  String UNCHECKED = "null";

  /** What statuses of an answer say of the effect. */
  @Target({})
  @Retention(RetentionPolicy.RUNTIME)
  @interface Status {
    int[] value();

    /** {@link Meaning#BUSINESS_ERROR}: the answer is remembered, whatever it says. */
    Meaning means();
  }

  /** Where the effect of a method is. */
  enum Effect {
    /** In the application's database. */
    IN_TRANSACTION,
    /** Somewhere else: an HTTP call, a mail, somebody's API. */
    OUTSIDE
  }

  /**
   * The key, as an expression (SpEL) over the arguments, such as {@code #order.id} or {@code
   * #requestId}: a text of at most 255 bytes, a UUID, a number or a {@link io.onceward.Key}. Empty:
   * the {@link #header} of the web request.
   */
  String key() default "";

  /** The header that has the key, if no {@link #key} is given. */
  String header() default "Idempotency-Key";

  /** Whether a call without a key is refused. If not, it runs each time. */
  boolean required() default true;

  /**
   * Whose keys are told apart from whose, as an expression, such as {@code #tenant}. Beside who
   * asks and the operation, which count in any case.
   */
  String scope() default "";

  /**
   * The kind of request: part of its identity, and its name in metrics and for people. Default:
   * class and method, {@code Payments.pay}. Give it a name of its own before you rename either, or
   * retries across the renaming are new requests.
   */
  String operation() default "";

  /**
   * What makes a retry the same request, as an expression. Default: all arguments, written as JSON,
   * but for those that belong to one transmission or to the framework (headers, cookies, the
   * request itself …). {@link #UNCHECKED}: nothing is compared.
   */
  String fingerprint() default "";

  /**
   * Whether a property that is null makes another request than one that is absent. By default it
   * does not, so that a release which adds an optional field takes retries of requests from before
   * it.
   */
  boolean comparesNulls() default false;

  /** What an operator or a probe needs to find out what happened, as an expression. No secrets. */
  String memo() default "";

  /**
   * Exceptions, with those below them, that are an answer. What the method wrote is undone. Of a
   * handler method, the response is remembered that the application makes of it; otherwise the
   * exception, which is thrown for every retry.
   */
  Class<? extends Throwable>[] businessErrors() default {};

  /**
   * What single statuses of a handler method's answer say of its effect. By default one that holds
   * for a moment only is not remembered: 401, 407, 421, 425 and 429 say that it did not happen,
   * 408, 499 and those of 500 and more leave it unknown. The caller is sent the answer in any case.
   * In a transaction, whatever is not remembered is rolled back, and a retry runs.
   */
  Status[] statuses() default {};

  /**
   * Exceptions, with those below them, which say that nothing happened outside and nothing still
   * can. A retry runs the method again. A {@link java.net.ConnectException} says it only of a
   * client that follows no redirects and repeats nothing by itself. In a transaction that is so for
   * all exceptions that are no business errors.
   */
  Class<? extends Throwable>[] didNotHappen() default {};

  Effect effect() default Effect.IN_TRANSACTION;
}
