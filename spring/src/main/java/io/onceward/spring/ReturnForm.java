package io.onceward.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/** How what a method returns becomes the bytes of a reply, and comes back. */
interface ReturnForm {
  byte[] write(@Nullable Object value);

  @Nullable Object read(byte[] bytes);

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
  }

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
          "org.springframework.core.io.InputStreamSource",
          "org.springframework.web.context.request.async.DeferredResult",
          "org.springframework.web.context.request.async.WebAsyncTask",
          "org.springframework.web.servlet.ModelAndView",
          "org.springframework.web.servlet.View",
          "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
          "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

  /**
   * The form of a method's return value.
   *
   * @throws IllegalStateException if it cannot be kept; the message says why
   */
  static ReturnForm of(Method method, Class<?> target, boolean web, @Nullable ValueCodec codec) {
    ResolvableType type = ResolvableType.forMethodReturnType(method, target);
    Class<?> raw = type.resolve(Object.class);
    if (raw == void.class || raw == Void.class) {
      return NOTHING;
    }
    if (codec == null) {
      throw new IllegalStateException(
          "to remember what it returns, Jackson has to be there, or a bean of type ValueCodec");
    }
    if (raw.getName().equals(ENTITY)) {
      ResolvableType body = type.getGeneric(0);
      refuseIfPassing(body.resolve(Object.class));
      return EntityForm.of(codec, body);
    }
    refuseIfPassing(raw);
    if (raw == Object.class && !web) {
      throw new IllegalStateException(
          "it returns Object, which does not tell what to read back. Name the type.");
    }
    return new Json(codec, raw == Object.class ? codec.anyType() : type.getType());
  }

  private static void refuseIfPassing(Class<?> type) {
    for (String name : PASSING) {
      if (hasType(type, name)) {
        throw new IllegalStateException(
            "it returns "
                + type.getSimpleName()
                + ", which is not whole when the method returns, so it cannot be remembered. Return"
                + " the value itself, or guard the path by onceward.http.routes, where the response"
                + " is remembered as it was sent.");
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
