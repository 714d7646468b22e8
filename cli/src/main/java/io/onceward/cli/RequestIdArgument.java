package io.onceward.cli;

import io.onceward.RequestId;
import io.onceward.Scope;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The id of a request that was sent earlier. */
final class RequestIdArgument {
  @Parameters(paramLabel = "ID", description = "The request id, as it was given or printed.")
  private String id = "";

  @Option(
      names = "--scope",
      paramLabel = "NAME",
      description = "The scope of the id, if it had one and does not say it itself.")
  private @Nullable String scope;

  /**
   * The id.
   *
   * @throws IllegalArgumentException if it is none; the message says what is allowed
   */
  RequestId requestId() {
    RequestId parsed = RequestId.parse(id);
    if (scope == null) {
      return parsed;
    }
    if (parsed instanceof RequestId.OfKey key && key.scope().equals(Scope.NONE)) {
      return new RequestId.OfKey(new Scope(scope), key.key());
    }
    throw new IllegalArgumentException(
        "--scope is for keys that do not name their scope themselves");
  }
}
