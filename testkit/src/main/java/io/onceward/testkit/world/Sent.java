package io.onceward.testkit.world;

import io.onceward.replica.Request;
import org.jspecify.annotations.Nullable;

/** A copy that a library process sent: by which logic, of what, over which connection. */
public final class Sent {
  final Object logic;
  final Object asked;
  final int copy;
  final int connection;
  final boolean patient;
  final Ask.@Nullable Copy request;
  boolean answered;

  Sent(
      Object logic,
      Object asked,
      int copy,
      int connection,
      boolean patient,
      Ask.@Nullable Copy request) {
    this.logic = logic;
    this.asked = asked;
    this.copy = copy;
    this.connection = connection;
    this.patient = patient;
    this.request = request;
  }

  /** What it was a copy of. */
  public Object asked() {
    return asked;
  }

  /** Whether it asks for something to be done under an id. */
  public boolean isCommand() {
    return request != null
        && (request.request() instanceof Request.InSession
            || request.request() instanceof Request.Keyed);
  }

  /** Whether this was sent by the same logic. */
  public boolean isOfSameLogic(Sent other) {
    return logic == other.logic;
  }
}
