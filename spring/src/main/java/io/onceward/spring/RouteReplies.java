package io.onceward.spring;

import io.onceward.Reply;
import io.onceward.guard.Fitting;
import io.onceward.guard.GuardedId;
import io.onceward.http.StoredResponse;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.springframework.core.ResolvableType;

/** Replies that an operator gives to requests of the filter, which remembers whole responses. */
final class RouteReplies {
  private static final Type STORED =
      ResolvableType.forClassWithGenerics(EntityForm.Stored.class, String.class).getType();

  private final Set<String> routes = new HashSet<>();
  private final ValueCodec codec;

  RouteReplies(OncewardProperties properties, ValueCodec codec) {
    this.codec = codec;
    for (OncewardProperties.Route route : properties.http().routes()) {
      routes.add(Fitting.fit(route.pattern(), Asking.MAX_SCOPE_BYTES));
    }
  }

  boolean isRoute(GuardedId id) {
    return routes.contains(id.scope().name());
  }

  /**
   * Out of {@code {"status":201,"headers":{…},"body":"…"}}; the body is a text.
   *
   * @throws IllegalArgumentException if it is something else
   */
  Reply reply(String json) {
    try {
      return response(json).toReply();
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "this is not {\"status\":…,\"headers\":{\"NAME\":[…]},\"body\":\"TEXT\"}: "
              + SaidReplies.reasonsOf(e),
          e);
    }
  }

  private StoredResponse response(String json) {
    EntityForm.Stored<?> stored =
        Objects.requireNonNull(
            (EntityForm.Stored<?>) codec.read(json.getBytes(StandardCharsets.UTF_8), STORED));
    Map<String, List<String>> headers = Objects.requireNonNullElse(stored.headers(), Map.of());
    String type = headers.getOrDefault("Content-Type", List.of("application/json")).get(0);
    Object body = Objects.requireNonNullElse(stored.body(), "");
    StoredResponse response = StoredResponse.of(stored.status(), type, body.toString());
    for (Map.Entry<String, List<String>> header : headers.entrySet()) {
      for (String value : header.getValue()) {
        if (!header.getKey().equals("Content-Type")) {
          response = response.with(header.getKey(), value);
        }
      }
    }
    return response;
  }
}
