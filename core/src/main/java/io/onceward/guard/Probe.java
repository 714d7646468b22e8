package io.onceward.guard;

/** Asks the outside what became of a request. Supplied by the user, who knows whom to ask (G3). */
@FunctionalInterface
public interface Probe {
  /**
   * An exception is taken for {@link Finding.CannotTell}, and so is a reply that callers could not
   * read ({@link Guard.Builder#checkReply}).
   */
  Finding look(UnknownRequest request) throws Exception;
}
