package io.onceward.server.engine.ratis;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A problem whose message is for the operator as it stands, whatever is wrapped around it. */
final class PlainException extends IOException {
  PlainException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
