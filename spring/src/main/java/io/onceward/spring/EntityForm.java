package io.onceward.spring;

import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.http.ResponseEntity;

/**
 * A {@link ResponseEntity}: status, headers and body, as {@code
 * {"status":201,"headers":{"Location":["/payments/1"]},"body":…}}. Cookies are never kept, nor what
 * belongs to one connection.
 */
record EntityForm(ValueCodec codec, Type storedType) implements ReturnForm {
  private static final Set<String> NOT_KEPT =
      Set.of(
          "set-cookie", "set-cookie2", "connection", "transfer-encoding", "content-length", "date");

  /** What is remembered; the names of its parts are those in the JSON. */
  record Stored<T>(int status, @Nullable Map<String, List<String>> headers, @Nullable T body) {}

  static EntityForm of(ValueCodec codec, ResolvableType body) {
    Class<?> raw = body.resolve();
    Type type = raw == null || raw == Object.class ? codec.anyType() : body.getType();
    return new EntityForm(
        codec,
        ResolvableType.forClassWithGenerics(Stored.class, ResolvableType.forType(type)).getType());
  }

  @Override
  public byte[] write(@Nullable Object value) {
    ResponseEntity<?> entity =
        (ResponseEntity<?>)
            Objects.requireNonNull(value, "the method returned no ResponseEntity, but null");
    Map<String, List<String>> headers = new LinkedHashMap<>();
    entity
        .getHeaders()
        .forEach(
            (name, values) -> {
              if (!NOT_KEPT.contains(name.toLowerCase(Locale.ROOT))) {
                headers.put(name, values);
              }
            });
    return codec.write(
        new Stored<>(entity.getStatusCode().value(), headers, entity.getBody()), storedType);
  }

  @Override
  public byte[] writeExactly(@Nullable Object value) {
    byte[] bytes = write(value);
    ResponseEntity<?> readBack = (ResponseEntity<?>) read(bytes);
    ReturnForm.requireSame(
        codec,
        ((ResponseEntity<?>) Objects.requireNonNull(value)).getBody(),
        readBack.getBody(),
        storedType);
    ReturnForm.requireSameBytes(codec, bytes, write(readBack), storedType);
    return bytes;
  }

  @Override
  public Object read(byte[] bytes) {
    Stored<?> stored = Objects.requireNonNull((Stored<?>) codec.read(bytes, storedType));
    ResponseEntity.BodyBuilder builder = ResponseEntity.status(stored.status());
    if (stored.headers() != null) {
      stored
          .headers()
          .forEach((name, values) -> builder.header(name, values.toArray(new String[0])));
    }
    return stored.body() == null ? builder.build() : builder.body(stored.body());
  }
}
