package io.onceward.testkit.teeth;

import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.client.session.SessionActions;
import io.onceward.client.session.SessionRequest;
import io.onceward.replica.Request;
import java.util.List;

/** What a session's logic does, with a bug around it. As written here it changes nothing. */
class AroundSession implements SessionActions {
  final SessionActions process;

  AroundSession(SessionActions process) {
    this.process = process;
  }

  @Override
  public void send(SessionRequest asked, int copy, Request request) {
    process.send(asked, copy, request);
  }

  @Override
  public void read(SessionRequest asked, int copy, ClientKind kind, String name) {
    process.read(asked, copy, kind, name);
  }

  @Override
  public void opened(Decision.Opened opened, Request.Address address) {
    process.opened(opened, address);
  }

  @Override
  public void decided(SessionRequest request, Decision decision) {
    process.decided(request, decision);
  }

  @Override
  public void waitEnded(SessionRequest request) {
    process.waitEnded(request);
  }

  @Override
  public void ended(End end, List<SessionRequest> unknown) {
    process.ended(end, unknown);
  }

  @Override
  public long jitterMillis() {
    return process.jitterMillis();
  }
}
