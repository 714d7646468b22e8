package io.onceward.testkit.world;

import io.onceward.Bytes;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;

/** What callers send to nodes. */
public final class Ask {
  private Ask() {}

  /**
   * One copy of a request on its way.
   *
   * @param caller the endpoint that wants to know
   * @param ticket the caller's own number for this question
   */
  public record Copy(int caller, long ticket, String principal, Request request, Bytes frame) {
    static Copy of(int caller, long ticket, String principal, Request request) {
      return new Copy(caller, ticket, principal, request, Bytes.of(RequestCodec.encode(request)));
    }
  }
}
