package io.onceward.spring;

import io.onceward.Reply;
import io.onceward.guard.Meaning;
import io.onceward.http.StoredResponse;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ClassUtils;

/**
 * A method with {@link Once}, read and checked: whatever can be wrong with it is told at the start.
 */
final class OnceMethod {
  private final Method method;
  private final Class<?> target;
  private final Once once;
  private final String operation;
  private final boolean handler;
  private final @Nullable Expression key;
  private final @Nullable Expression scope;
  private final @Nullable Expression fingerprint;
  private final @Nullable Expression memo;
  private final ReturnForm form;
  private final List<ComparedArgument> compared;
  private final Map<Integer, Meaning> statuses;

  /** What a method is read with. */
  record Surroundings(
      BeanFactory beans, @Nullable ValueCodec codec, BusinessExceptions exceptions, boolean web) {}

  OnceMethod(Method method, Class<?> target, Once once, Surroundings around) {
    this.method = method;
    this.target = target;
    this.once = once;
    operation = once.operation().isEmpty() ? nameOf(method, target) : once.operation();
    handler = around.web() && HandlerShape.isHandler(method, target);
    try {
      if (operation.contains(Asking.WITHIN)) {
        throw new IllegalStateException(
            "its operation contains \""
                + Asking.WITHIN
                + "\", which stands between an operation and a scope");
      }
      for (Class<?> parameter : method.getParameterTypes()) {
        if (parameter.getName().equals("kotlin.coroutines.Continuation")) {
          throw new IllegalStateException(
              "it is a suspend function, which goes on after it has returned, so its answer cannot"
                  + " be remembered. Let it call suspending code by runBlocking, or guard the path by"
                  + " onceward.http.routes.");
        }
      }
      key = Expression.of("key", once.key(), around.beans());
      scope = Expression.of("scope", once.scope(), around.beans());
      fingerprint = Expression.of("fingerprint", once.fingerprint(), around.beans());
      memo = Expression.of("memo", once.memo(), around.beans());
      if (key == null && !around.web()) {
        throw new IllegalStateException(
            "it names no key, and there are no web requests whose header could have one. Say key ="
                + " \"#parameter\".");
      }
      if (handler) {
        HandlerShape.check(method, target);
        form = ReturnForm.ofHandler(method, target, around.codec());
      } else {
        form = ReturnForm.of(method, target, around.codec());
      }
      compared = ComparedArgument.of(method, target, once.fingerprint(), handler);
      if (!compared.isEmpty()) {
        ComparedArgument.requireWhole(compared, around.codec());
      }
      checkExceptions(around.exceptions());
      statuses = statusesOf(once);
    } catch (IllegalStateException e) {
      throw new IllegalStateException(
          "@Once on " + nameOf(method, target) + ": " + e.getMessage(), e);
    }
  }

  private static String nameOf(Method method, Class<?> target) {
    return ClassUtils.getUserClass(target).getSimpleName() + "." + method.getName();
  }

  private static Map<Integer, Meaning> statusesOf(Once once) {
    Map<Integer, Meaning> statuses = new HashMap<>();
    for (Once.Status each : once.statuses()) {
      for (int status : each.value()) {
        if (status < 100 || status > 999) {
          throw new IllegalStateException("a status has three digits, got " + status);
        }
        if (statuses.put(status, each.means()) != null) {
          throw new IllegalStateException("it says twice what the status " + status + " means");
        }
      }
    }
    return Map.copyOf(statuses);
  }

  private void checkExceptions(BusinessExceptions exceptions) {
    for (Class<? extends Throwable> error : once.businessErrors()) {
      if (Error.class.isAssignableFrom(error)) {
        throw new IllegalStateException(error.getName() + " is an Error, and no business error");
      }
      String objection = exceptions.objection(error);
      if (objection != null) {
        throw new IllegalStateException("its business error " + objection);
      }
      for (Class<? extends Throwable> other : once.didNotHappen()) {
        if (error == other) {
          throw new IllegalStateException(
              error.getName()
                  + " cannot be both a business error and something that did not happen");
        }
      }
    }
  }

  /** What an exception of the method means; the nearest of the named classes decides. */
  Meaning meaning(Throwable thrown) {
    for (Class<?> at = thrown.getClass(); at != null; at = at.getSuperclass()) {
      if (contains(once.businessErrors(), at)) {
        return Meaning.BUSINESS_ERROR;
      }
      if (contains(once.didNotHappen(), at)) {
        return Meaning.DID_NOT_HAPPEN;
      }
    }
    return Meaning.UNKNOWN;
  }

  private static boolean contains(Class<?>[] types, Class<?> type) {
    for (Class<?> each : types) {
      if (each == type) {
        return true;
      }
    }
    return false;
  }

  /**
   * Reads a reply that a probe or an operator said, as a retry would.
   *
   * @throws RuntimeException if a retry could not read it
   */
  void requireReadable(Reply reply) {
    if (handler && StoredResponse.in(reply) != null) {
      return;
    }
    byte[] bytes = reply.bytes().toArray();
    if (form == ReturnForm.NOTHING && bytes.length > 0) {
      throw new IllegalArgumentException("the method returns nothing, so its reply is empty");
    }
    Object value = form.read(bytes);
    Class<?> type = method.getReturnType();
    if (value == null && type.isPrimitive() && type != void.class) {
      throw new IllegalArgumentException("null is no " + type);
    }
  }

  Method method() {
    return method;
  }

  Class<?> target() {
    return target;
  }

  Once once() {
    return once;
  }

  String operation() {
    return operation;
  }

  /** Whether it answers web requests itself. */
  boolean isHandler() {
    return handler;
  }

  ReturnForm form() {
    return form;
  }

  @Nullable Expression key() {
    return key;
  }

  @Nullable Expression scope() {
    return scope;
  }

  @Nullable Expression fingerprint() {
    return fingerprint;
  }

  @Nullable Expression memo() {
    return memo;
  }

  /** What it says of single statuses. */
  Map<Integer, Meaning> statuses() {
    return statuses;
  }

  List<ComparedArgument> compared() {
    return compared;
  }
}
