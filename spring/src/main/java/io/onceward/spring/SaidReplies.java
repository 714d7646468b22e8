package io.onceward.spring;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.guard.GuardedId;
import io.onceward.http.StoredResponse;
import java.util.function.BiConsumer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * What a probe or an operator says that an unknown request was answered. It is read as a retry
 * would read it before it is remembered: afterwards nobody could correct it.
 */
final class SaidReplies implements BiConsumer<GuardedId, Reply> {
  private static final Log LOG = LogFactory.getLog(Once.class);

  private final OnceMethods methods;
  private final BusinessExceptions exceptions;
  private final @Nullable RouteReplies routes;

  SaidReplies(OnceMethods methods, BusinessExceptions exceptions, @Nullable RouteReplies routes) {
    this.methods = methods;
    this.exceptions = exceptions;
    this.routes = routes;
  }

  /**
   * The reply in the words of an operator.
   *
   * @throws IllegalArgumentException if they are not those of a response, where one is needed
   */
  Reply reply(GuardedId id, String words) {
    return routes != null && routes.isRoute(id) ? routes.reply(words) : Reply.ok(Bytes.utf8(words));
  }

  /**
   * @throws IllegalArgumentException if a retry could not be given this reply. Requests of neither
   *     a method nor a route are not judged: they belong to code of the application's own.
   */
  @Override
  public void accept(GuardedId id, Reply reply) {
    try {
      if (routes != null && routes.isRoute(id)) {
        StoredResponse.requireReadable(reply);
      } else {
        OnceMethod method = methods.ofOperation(Asking.operationOf(id));
        if (method != null) {
          requireReadable(method, reply);
        }
      }
    } catch (IllegalArgumentException e) {
      // A probe is told nothing.
      LOG.warn("not taken for an answer: " + e.getMessage());
      throw e;
    }
  }

  private void requireReadable(OnceMethod method, Reply reply) {
    try {
      switch (reply.kind()) {
        case OK -> method.requireReadable(reply);
        case BUSINESS_ERROR -> {
          if (!method.isHandler() || StoredResponse.in(reply) == null) {
            exceptions.read(reply.bytes());
          }
        }
        case FAILED, REPLY_TOO_LARGE -> {
          // Both say all that a retry is told.
        }
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalArgumentException(
          "retries of " + method.operation() + " could not read this reply: " + reasonsOf(e), e);
    }
  }

  static String reasonsOf(Throwable failure) {
    StringBuilder reasons = new StringBuilder(String.valueOf(failure.getMessage()));
    for (Throwable at = failure.getCause(); at != null; at = at.getCause()) {
      reasons.append(": ").append(at.getMessage());
    }
    return reasons.toString();
  }
}
