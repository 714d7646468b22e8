package io.onceward.spring;

import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Tells arguments of one declared type apart that are of different classes, where JSON does not: a
 * {@code Pay(5)} and a {@code Repay(5)} are written alike.
 */
final class Kinds {
  private static final String TOLD_BY_JSON = "com.fasterxml.jackson.annotation.JsonTypeInfo";

  private Kinds() {}

  /** The name of the class, or empty where there is nothing to tell apart. */
  static String of(@Nullable Object value, Type declared) {
    Class<?> raw = ResolvableType.forType(declared).resolve(Object.class);
    if (value == null || raw == Object.class || !isOfTheApplication(raw)) {
      return "";
    }
    Class<?> own = withoutProxies(value.getClass());
    return own == raw
            || !isOfTheApplication(own)
            || MergedAnnotations.from(own, SearchStrategy.TYPE_HIERARCHY).isPresent(TOLD_BY_JSON)
        ? ""
        : own.getName();
  }

  /** Classes that are made while an application runs have another name in each. */
  private static Class<?> withoutProxies(Class<?> type) {
    Class<?> at = type;
    while (at.getSuperclass() != null
        && (at.getName().contains("$$") || at.getName().contains("$HibernateProxy"))) {
      at = at.getSuperclass();
    }
    return at;
  }

  private static boolean isOfTheApplication(Class<?> type) {
    String name = type.getName();
    return !(type.isPrimitive()
        || type.isArray()
        || type.isHidden()
        || type.isSynthetic()
        || Proxy.isProxyClass(type)
        || name.startsWith("java.")
        || name.startsWith("org.springframework.")
        || name.startsWith("com.fasterxml.jackson.")
        || name.startsWith("tools.jackson."));
  }
}
