package io.onceward.client;

import io.onceward.RequestId;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** When one caller's wait ends, while others wait for the same request (C2). */
final class Deadline {
  private Deadline() {}

  /**
   * Ends the wait at that time, if it is not over before.
   *
   * @param millis {@code Long.MAX_VALUE} for never
   */
  static <T> CompletableFuture<T> end(
      CompletableFuture<T> waiting, Nodes nodes, RequestId id, long millis) {
    if (millis != Long.MAX_VALUE) {
      Told news = () -> waiting.completeExceptionally(over(id));
      Alarms.Alarm alarm = new Alarms.Alarm(now -> nodes.tell(List.of(news)));
      nodes.alarms().wakeBy(alarm, millis);
      var unused = waiting.whenComplete((told, failure) -> nodes.alarms().forget(alarm));
    }
    return waiting;
  }

  static OutcomeUnknownException over(RequestId id) {
    return new OutcomeUnknownException("no decision within the deadline", id);
  }
}
