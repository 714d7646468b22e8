package io.onceward.http;

import io.onceward.Key;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request to somebody else's API that is to happen once. Immutable; each method returns a changed
 * copy.
 *
 * @param key the id of the request, the same for all its retries; null to take a hash of what it
 *     says, and then two requests that say the same are one, so make the scope narrow enough
 * @param principal on whose behalf; empty where this process speaks for itself
 * @param scope which keys are told apart, such as the order or the day that the request is for
 * @param memo what a probe or an operator needs to find out what happened; null for method and
 *     address without the query
 * @param deadline how long the caller waits; null for the guard's own
 */
public record OutboundCall(
    HttpRequest request,
    @Nullable Key key,
    String principal,
    String scope,
    @Nullable String memo,
    @Nullable Duration deadline) {
  public OutboundCall {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(principal, "principal");
    Objects.requireNonNull(scope, "scope");
  }

  public static OutboundCall of(HttpRequest request) {
    return new OutboundCall(request, null, "", "", null, null);
  }

  public OutboundCall key(Key key) {
    return new OutboundCall(request, key, principal, scope, memo, deadline);
  }

  public OutboundCall principal(String principal) {
    return new OutboundCall(request, key, principal, scope, memo, deadline);
  }

  public OutboundCall scope(String scope) {
    return new OutboundCall(request, key, principal, scope, memo, deadline);
  }

  public OutboundCall memo(String memo) {
    return new OutboundCall(request, key, principal, scope, memo, deadline);
  }

  public OutboundCall deadline(Duration deadline) {
    return new OutboundCall(request, key, principal, scope, memo, deadline);
  }
}
