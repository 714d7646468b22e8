package io.onceward.guard;

/** Asks the outside what became of a request. Supplied by the user, who knows whom to ask (G3). */
@FunctionalInterface
public interface Probe {
  /** An exception is taken for {@link Finding.CannotTell}. */
  Finding look(UnknownRequest request) throws Exception;
}
