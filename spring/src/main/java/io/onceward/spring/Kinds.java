package io.onceward.spring;

import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Tells arguments of one declared type apart that are of different classes, where JSON does not: a
 * {@code Pay(5)} and a {@code Repay(5)} are written alike. Looks into lists, maps, arrays and
 * optionals, but not into the properties of other objects.
 */
final class Kinds {
  private static final String TOLD_BY_JSON = "com.fasterxml.jackson.annotation.JsonTypeInfo";

  private final StringBuilder names = new StringBuilder();

  private Kinds() {}

  /** The names of the classes, with their places; empty where there is nothing to tell apart. */
  static String of(@Nullable Object value, Type declared) {
    Kinds kinds = new Kinds();
    kinds.add("", value, ResolvableType.forType(declared));
    return kinds.names.toString();
  }

  private void add(String place, @Nullable Object value, ResolvableType declared) {
    String name = nameOf(value, declared.resolve(Object.class));
    if (!name.isEmpty()) {
      names.append(place).append(name);
    }
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> sorted = new TreeMap<>();
      map.forEach(
          (key, each) -> {
            // One that is null is as if it was absent.
            if (each != null) {
              sorted.put(String.valueOf(key), each);
            }
          });
      addAll(place, sorted.values(), declared.asMap().getGeneric(1));
    } else if (value instanceof Collection<?> all) {
      addAll(place, all, declared.asCollection().getGeneric(0));
    } else if (value instanceof Object[] all) {
      addAll(place, Arrays.asList(all), declared.getComponentType());
    } else if (value instanceof Optional<?> perhaps) {
      add(place, perhaps.orElse(null), declared.as(Optional.class).getGeneric(0));
    }
  }

  private void addAll(String place, Collection<?> values, ResolvableType declared) {
    int at = 0;
    for (Object each : values) {
      add(place + " " + at++ + " ", each, declared);
    }
  }

  private static String nameOf(@Nullable Object value, Class<?> declared) {
    if (value == null || !(declared == Object.class || isOfTheApplication(declared))) {
      return "";
    }
    Class<?> own = withoutProxies(value.getClass());
    return own == declared
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
