package io.onceward.server.engine;

/**
 * The engine did not begin what it was asked to do: nothing has happened, and nothing will. Any
 * other failure leaves open whether it happens (O3).
 */
public final class Declined extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  public Declined(String reason) {
    super(reason);
  }
}
