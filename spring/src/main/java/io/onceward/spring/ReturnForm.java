package io.onceward.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.ResolvableType;

/** How what a method returns becomes the bytes of a reply, and comes back. */
interface ReturnForm {
  byte[] write(@Nullable Object value);

  @Nullable Object read(byte[] bytes);

  /**
   * Writes a value that comes back as it went.
   *
   * @throws IllegalStateException if it would not
   */
  byte[] writeExactly(@Nullable Object value);

  /** Of a method that returns nothing. */
  ReturnForm NOTHING =
      new ReturnForm() {
        @Override
        public byte[] write(@Nullable Object value) {
          return new byte[0];
        }

        @Override
        public @Nullable Object read(byte[] bytes) {
          return null;
        }

        @Override
        public byte[] writeExactly(@Nullable Object value) {
          return write(value);
        }
      };

  /** As JSON. */
  record Json(ValueCodec codec, Type type) implements ReturnForm {
    @Override
    public byte[] write(@Nullable Object value) {
      return codec.write(value, type);
    }

    @Override
    public @Nullable Object read(byte[] bytes) {
      return codec.read(bytes, type);
    }

    @Override
    public byte[] writeExactly(@Nullable Object value) {
      byte[] bytes = write(value);
      Object readBack = read(bytes);
      requireSame(codec, value, readBack, type);
      requireSameBytes(codec, bytes, write(readBack), type);
      return bytes;
    }
  }

  /** What Jackson is told to leave out, or reads as another type, a retry would not get. */
  static void requireSame(
      ValueCodec codec, @Nullable Object written, @Nullable Object readBack, Type type) {
    if (!codec.same(written, readBack)) {
      throw new IllegalStateException(
          type.getTypeName()
              + " is not the same when it is read back from JSON: something of it is not written"
              + " (WRITE_ONLY), or belongs to a subtype. Return a type that JSON holds whole.");
    }
  }

  static void requireSameBytes(ValueCodec codec, byte[] written, byte[] again, Type type) {
    if (!codec.sameBytes(written, again)) {
      throw new IllegalStateException(
          type.getTypeName()
              + " is not the same when it is read back from JSON: it is written otherwise the second"
              + " time. Return a type that JSON holds whole.");
    }
  }

  String NOT_WHOLE =
      ", which is not whole when the method returns, so it cannot be remembered. Return the value"
          + " itself, or guard the path by onceward.http.routes, where the response is remembered"
          + " as it was sent.";

  String ENTITY = "org.springframework.http.ResponseEntity";

  /** Of types that are not there yet when the method returns, or can be read only once. */
  Set<String> PASSING =
      Set.of(
          "java.util.concurrent.Future",
          "java.util.concurrent.CompletionStage",
          "java.util.concurrent.Callable",
          "java.util.stream.BaseStream",
          "java.util.Iterator",
          "java.io.InputStream",
          "java.io.Reader",
          "java.util.concurrent.Flow$Publisher",
          "org.reactivestreams.Publisher",
          "io.reactivex.rxjava3.core.CompletableSource",
          "io.reactivex.rxjava3.core.MaybeSource",
          "io.reactivex.rxjava3.core.ObservableSource",
          "io.reactivex.rxjava3.core.SingleSource",
          "io.smallrye.mutiny.Uni",
          "kotlinx.coroutines.Deferred",
          "kotlinx.coroutines.flow.Flow",
          "org.springframework.web.context.request.async.DeferredResult",
          "org.springframework.web.context.request.async.WebAsyncTask",
          "org.springframework.web.servlet.ModelAndView",
          "org.springframework.web.servlet.View",
          "org.springframework.web.servlet.function.ServerResponse",
          "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
          "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

  /**
   * The form of what a method returns to callers inside the application.
   *
   * @throws IllegalStateException if it cannot be kept; the message says why
   */
  static ReturnForm of(Method method, Class<?> target, @Nullable ValueCodec codec) {
    ResolvableType type = typeOf(method, target);
    Class<?> raw = type.resolve(Object.class);
    if (raw == void.class || raw == Void.class) {
      return NOTHING;
    }
    refuseIfPassing(raw);
    refuseIfPassing(type.getGeneric(0).resolve(Object.class));
    if (hasType(raw, "org.springframework.core.io.InputStreamSource")) {
      throw new IllegalStateException("it returns " + raw.getSimpleName() + NOT_WHOLE);
    }
    if (codec == null) {
      throw new IllegalStateException(
          "to remember what it returns, Jackson has to be there, or a bean of type ValueCodec");
    }
    if (raw == Object.class) {
      throw new IllegalStateException(
          "it returns Object, which does not tell what to read back. Name the type.");
    }
    return formOf(type, raw, codec);
  }

  /**
   * The form in which a probe or an operator says what a handler method has answered. What is
   * remembered of it otherwise is the whole response.
   */
  static ReturnForm ofHandler(Method method, Class<?> target, @Nullable ValueCodec codec) {
    ResolvableType type = typeOf(method, target);
    Class<?> raw = type.resolve(Object.class);
    return raw == void.class || raw == Void.class || codec == null
        ? NOTHING
        : formOf(type, raw, codec);
  }

  /** With what the class below that of the method has said of it. */
  private static ResolvableType typeOf(Method method, Class<?> target) {
    return ResolvableType.forType(
        GenericTypeResolver.resolveType(method.getGenericReturnType(), target));
  }

  private static ReturnForm formOf(ResolvableType type, Class<?> raw, ValueCodec codec) {
    return raw.getName().equals(ENTITY)
        ? EntityForm.of(codec, type.getGeneric(0))
        : new Json(codec, raw == Object.class ? codec.anyType() : type.getType());
  }

  static void refuseIfPassing(@Nullable Object value) {
    if (value != null) {
      refuseIfPassing(value.getClass());
    }
  }

  static void refuseIfPassing(Class<?> type) {
    for (String name : PASSING) {
      if (hasType(type, name)) {
        throw new IllegalStateException("it returns " + type.getSimpleName() + NOT_WHOLE);
      }
    }
  }

  static boolean hasType(@Nullable Class<?> type, String name) {
    if (type == null) {
      return false;
    }
    if (type.getName().equals(name) || hasType(type.getSuperclass(), name)) {
      return true;
    }
    for (Class<?> each : type.getInterfaces()) {
      if (hasType(each, name)) {
        return true;
      }
    }
    return false;
  }
}
