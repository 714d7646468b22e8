package io.onceward;

import java.io.IOException;
import java.io.OutputStream;

/** A state that stands still while its owner goes on; written once, from any thread. */
@FunctionalInterface
public interface Frozen {
  void writeTo(OutputStream out) throws IOException;
}
