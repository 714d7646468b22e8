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
 * beside would come back poorer than it went, so it is refused at the start. What is written is
 * read back each time, so that none is remembered that would come back as another.
 */
final class BusinessExceptions {
  /** A codec that makes exceptions of its own class only, and none of those below. */
  interface OfOneClass {}

  private static final String MESSAGE = "a message";

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
    Constructor<? extends Throwable> constructor = constructor(type);
    if (constructor == null) {
      return type.getName()
          + " has no constructor with a String for the message, so it cannot be made again for a"
          + " retry. Add one, or declare a bean of type ExceptionCodec<"
          + type.getSimpleName()
          + ">.";
    }
    return changesMessages(constructor)
        ? type.getName()
            + " makes another message of the one that its constructor is given, so it cannot be made"
            + " again for a retry. Declare a bean of type ExceptionCodec<"
            + type.getSimpleName()
            + ">."
        : null;
  }

  private static boolean changesMessages(Constructor<? extends Throwable> constructor) {
    try {
      return !MESSAGE.equals(constructor.newInstance(MESSAGE).getMessage());
    } catch (ReflectiveOperationException | RuntimeException e) {
      // It wants messages of a form of its own: seen when one is thrown.
      return false;
    }
  }

  private static boolean isPlain(Class<?> type) {
    return type == Throwable.class || type.getName().startsWith("java.");
  }

  /**
   * What is remembered of an exception.
   *
   * @throws IllegalStateException if it would not come back as it is
   */
  Bytes write(Throwable exception) {
    Bytes bytes = written(exception);
    Throwable readBack;
    try {
      readBack = read(bytes);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalStateException(
          "a business error cannot be remembered: " + exception.getClass().getName(), e);
    }
    if (readBack.getClass() != exception.getClass() || !written(readBack).equals(bytes)) {
      throw new IllegalStateException(
          "a business error cannot be remembered: "
              + exception.getClass().getName()
              + " would come back as "
              + readBack
              + ". Declare a bean of type ExceptionCodec<"
              + exception.getClass().getSimpleName()
              + ">.");
    }
    return bytes;
  }

  private Bytes written(Throwable exception) {
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
        if (codec.type() == at && (at == type || !(codec instanceof OfOneClass))) {
          return codec;
        }
      }
    }
    return null;
  }
}
