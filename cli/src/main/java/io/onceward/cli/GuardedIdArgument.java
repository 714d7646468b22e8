package io.onceward.cli;

import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.GuardedId;
import io.onceward.guard.GuardedOutcome;
import io.onceward.guard.UnknownRequest;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The identity of a guarded request: key, scope and principal. */
final class GuardedIdArgument {
  /** Of a longer one only a digest is stored and printed. */
  private static final int MAX_PRINTED_TEXT_BYTES = 128;

  @Parameters(paramLabel = "KEY", description = "The key, as the application or the list shows it.")
  private String key = "";

  @Option(
      names = "--scope",
      paramLabel = "NAME",
      description = "The scope of the request, if it has one.")
  private String scope = "";

  @Option(
      names = "--principal",
      paramLabel = "NAME",
      description = "Who asked for it, if the application tells principals apart.")
  private String principal = "";

  /**
   * The identity.
   *
   * @throws IllegalArgumentException if it is none; the message says what is allowed
   */
  GuardedId id() {
    return new GuardedId(principal, new Scope(scope), parsed());
  }

  /** As the list prints it; or as a caller spelled it, who may spell more than is printed. */
  private Key parsed() {
    try {
      return Key.parse(key);
    } catch (IllegalArgumentException e) {
      if (key.getBytes(StandardCharsets.UTF_8).length > MAX_PRINTED_TEXT_BYTES) {
        return GuardedId.keyOf(key);
      }
      throw e;
    }
  }

  String key() {
    return key;
  }

  /** The request as the queue shows it, if it is unknown. */
  Optional<UnknownRequest> find(ClaimStore store) {
    return store.outcome(id()) instanceof GuardedOutcome.Unknown unknown
        ? Optional.of(unknown.request())
        : Optional.empty();
  }
}
