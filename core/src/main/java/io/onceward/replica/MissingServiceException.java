package io.onceward.replica;

import java.util.Collection;

/**
 * The log has enabled a service that this node does not host. Going on without it would make this
 * replica differ from the others, so it changed nothing and must not go on.
 */
public final class MissingServiceException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  MissingServiceException(String what, Collection<String> hosted) {
    super(
        what
            + ", which this node does not host; hosted are "
            + (hosted.isEmpty() ? "none" : String.join(", ", hosted))
            + ". Start the node with a build and a class path that have it, like the others");
  }
}
