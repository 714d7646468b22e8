package io.onceward.testkit.teeth;

import io.onceward.Decision;
import io.onceward.client.session.KeyActions;
import io.onceward.client.session.KeyRequest;
import io.onceward.replica.Request;

/** What the logic of keyed requests does, with a bug around it. As written it changes nothing. */
class AroundKeys implements KeyActions {
  final KeyActions process;

  AroundKeys(KeyActions process) {
    this.process = process;
  }

  @Override
  public void send(KeyRequest asked, int copy, Request request) {
    process.send(asked, copy, request);
  }

  @Override
  public void decided(KeyRequest request, Decision decision) {
    process.decided(request, decision);
  }

  @Override
  public void rejected(KeyRequest request, String reason) {
    process.rejected(request, reason);
  }

  @Override
  public void waitEnded(KeyRequest request) {
    process.waitEnded(request);
  }

  @Override
  public void closed() {
    process.closed();
  }

  @Override
  public long jitterMillis() {
    return process.jitterMillis();
  }
}
