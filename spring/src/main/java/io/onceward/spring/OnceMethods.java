package io.onceward.spring;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * The methods with {@link Once}, each read one time. No two of them share an operation: it is their
 * identity, so the second would be answered with the replies of the first.
 */
final class OnceMethods {
  private record Place(Method method, Class<?> target) {
    @Override
    public String toString() {
      return target.getName()
          + "."
          + method.getName()
          + Arrays.stream(method.getParameterTypes())
              .map(Class::getSimpleName)
              .collect(Collectors.joining(", ", "(", ")"));
    }
  }

  private final ConcurrentHashMap<Place, OnceMethod> known = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, Place> byOperation = new ConcurrentHashMap<>();
  private final OnceMethod.Surroundings around;

  OnceMethods(OnceMethod.Surroundings around) {
    this.around = around;
  }

  /** The method that this is the operation of, or null if none is known. */
  @Nullable OnceMethod ofOperation(String operation) {
    Place place = byOperation.get(operation);
    return place == null ? null : known.get(place);
  }

  static @Nullable Once annotationOf(Method method) {
    return AnnotatedElementUtils.findMergedAnnotation(method, Once.class);
  }

  /**
   * The method, read.
   *
   * @throws IllegalStateException if it cannot be guarded; the message says why
   */
  OnceMethod of(Method called, Class<?> proxied) {
    Class<?> target = ClassUtils.getUserClass(proxied);
    Method method = AopUtils.getMostSpecificMethod(called, target);
    return known.computeIfAbsent(new Place(method, target), this::read);
  }

  private OnceMethod read(Place place) {
    OnceMethod read =
        new OnceMethod(
            place.method(),
            place.target(),
            Objects.requireNonNull(annotationOf(place.method())),
            around);
    Place other = byOperation.putIfAbsent(read.operation(), place);
    if (other != null && !other.equals(place)) {
      throw new IllegalStateException(
          "@Once on "
              + place
              + " and @Once on "
              + other
              + " are both the operation "
              + read.operation()
              + ", so a request to one would be answered with the reply of the other. Give each an"
              + " operation of its own, such as @Once(operation = \"refund\").");
    }
    return read;
  }
}
