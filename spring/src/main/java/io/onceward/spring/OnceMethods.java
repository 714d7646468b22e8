package io.onceward.spring;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/** The methods with {@link Once}, each read one time. */
final class OnceMethods {
  private record Place(Method method, Class<?> target) {}

  private final ConcurrentHashMap<Place, OnceMethod> known = new ConcurrentHashMap<>();
  private final OnceMethod.Surroundings around;

  OnceMethods(OnceMethod.Surroundings around) {
    this.around = around;
  }

  static @Nullable Once annotationOf(Method method) {
    return AnnotatedElementUtils.findMergedAnnotation(method, Once.class);
  }

  OnceMethod of(Method called, Class<?> proxied) {
    Class<?> target = ClassUtils.getUserClass(proxied);
    Method method = AopUtils.getMostSpecificMethod(called, target);
    return known.computeIfAbsent(
        new Place(method, target),
        place ->
            new OnceMethod(method, target, Objects.requireNonNull(annotationOf(method)), around));
  }
}
