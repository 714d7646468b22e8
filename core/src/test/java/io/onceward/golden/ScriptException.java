package io.onceward.golden;

/** A script that cannot be understood or played; the fault is in the script, not in the replica. */
final class ScriptException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ScriptException(String message) {
    super(message);
  }
}
