package io.onceward.spring;

import java.beans.PropertyDescriptor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;

/** What of a type can be set and not be seen, whichever Jackson looks at it. */
final class Inputs {
  private Inputs() {}

  /** Types that are written whole, or by somebody who knows them. */
  static boolean isOfOthers(Class<?> type) {
    String name = type.getName();
    return type.isPrimitive()
        || type.isEnum()
        || name.startsWith("java.")
        || name.startsWith("javax.")
        || name.startsWith("kotlin.")
        || name.startsWith("org.springframework.")
        || name.startsWith("com.fasterxml.jackson.")
        || name.startsWith("tools.jackson.");
  }

  /** Whether there are values of just this class. */
  static boolean isMade(Class<?> type) {
    return !Modifier.isAbstract(type.getModifiers());
  }

  /** Whether a serializer is Jackson's own for classes that it can see nothing of. */
  static boolean isUnknown(Class<?> serializer) {
    return serializer.getSimpleName().equals("UnknownSerializer");
  }

  static boolean hasState(Class<?> type) {
    for (Class<?> at = type; at != null && !isOfOthers(at); at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        int modifiers = field.getModifiers();
        if (!Modifier.isStatic(modifiers) && !Modifier.isTransient(modifiers)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Names what is not among the written properties, or null.
   *
   * @param written the properties, by the names that they have in Java
   */
  static @Nullable String unseen(Class<?> type, Collection<String> written, boolean bound) {
    if (written.isEmpty() && hasState(type)) {
      return type.getSimpleName();
    }
    if (bound) {
      for (PropertyDescriptor each : BeanUtils.getPropertyDescriptors(type)) {
        if (each.getWriteMethod() != null && !written.contains(each.getName())) {
          return type.getSimpleName() + "." + each.getName();
        }
      }
    }
    return null;
  }
}
