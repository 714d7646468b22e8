package io.onceward.spring;

import io.onceward.Bytes;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Remembers exceptions that are answers. Remembered is the name of the class, a line feed, and what
 * its codec wrote. An exception without a codec is made again from its message; one that has fields
 * beside would come back poorer than it went, so it is refused at the start.
 */
final class BusinessExceptions {
  private final List<ExceptionCodec<?>> codecs;

  BusinessExceptions(List<ExceptionCodec<?>> codecs) {
    this.codecs = List.copyOf(codecs);
  }

  /** Why exceptions of this class cannot be remembered, or null if they can. */
  @Nullable String objection(Class<? extends Throwable> type) {
    if (codecOf(type) != null) {
      return null;
    }
    if (Modifier.isAbstract(type.getModifiers()) || type == Exception.class) {
      return null;
    }
    for (Class<?> at = type; !isPlain(at); at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          return type.getName()
              + " has the field "
              + field.getName()
              + ", which cannot be made again from a message. Declare a bean of type"
              + " ExceptionCodec<"
              + type.getSimpleName()
              + "> that keeps it.";
        }
      }
    }
    return constructor(type) == null
        ? type.getName()
            + " has no constructor with a String for the message, so it cannot be made again for a"
            + " retry. Add one, or declare a bean of type ExceptionCodec<"
            + type.getSimpleName()
            + ">."
        : null;
  }

  private static boolean isPlain(Class<?> type) {
    return type == Throwable.class || type.getName().startsWith("java.");
  }

  Bytes write(Throwable exception) {
    ExceptionCodec<?> codec = codecOf(exception.getClass());
    String objection = codec == null ? objection(exception.getClass()) : null;
    if (objection != null) {
      throw new IllegalStateException("a business error cannot be remembered: " + objection);
    }
    String message = exception.getMessage();
    String text = codec != null ? written(codec, exception) : message == null ? "-" : "+" + message;
    return Bytes.utf8(exception.getClass().getName() + "\n" + text);
  }

  private static <E extends Throwable> String written(
      ExceptionCodec<E> codec, Throwable exception) {
    return codec.write(codec.type().cast(exception));
  }

  /** The exception, made again. */
  Throwable read(Bytes bytes) throws ReflectiveOperationException {
    String text = bytes.asText();
    int end = text.indexOf('\n');
    if (end < 0) {
      throw new ClassNotFoundException("what is remembered names no class: " + text);
    }
    Class<? extends Throwable> type =
        Class.forName(text.substring(0, end), false, Thread.currentThread().getContextClassLoader())
            .asSubclass(Throwable.class);
    String rest = text.substring(end + 1);
    ExceptionCodec<?> codec = codecOf(type);
    if (codec != null) {
      return codec.read(rest);
    }
    Constructor<? extends Throwable> constructor = constructor(type);
    if (constructor == null) {
      throw new NoSuchMethodException(type + " has lost its constructor with a String");
    }
    return constructor.newInstance(rest.startsWith("+") ? rest.substring(1) : null);
  }

  private static @Nullable Constructor<? extends Throwable> constructor(
      Class<? extends Throwable> type) {
    try {
      Constructor<? extends Throwable> constructor = type.getDeclaredConstructor(String.class);
      constructor.trySetAccessible();
      return constructor;
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  /** The codec of the nearest class. */
  private @Nullable ExceptionCodec<?> codecOf(Class<?> type) {
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      for (ExceptionCodec<?> codec : codecs) {
        if (codec.type() == at) {
          return codec;
        }
      }
    }
    return null;
  }
}
