package io.onceward.cli;

import io.onceward.DatedIds;
import io.onceward.RequestId;
import io.onceward.Scope;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Under which id a request is sent. */
final class Naming {
  @Option(
      names = "--request-id",
      paramLabel = "ID",
      description =
          "The id of this request: a UUID, a dated id, or any text of yours. The same command with the"
              + " same id happens once, however often it is run. Default: a new dated id.")
  private @Nullable String id;

  @Option(
      names = "--scope",
      paramLabel = "NAME",
      description = "Tells your ids apart from those of others who may choose the same.")
  private @Nullable String scope;

  boolean isGiven() {
    return id != null;
  }

  /** The id that was given, or a new one. */
  RequestId.OfKey requestId() {
    try {
      Scope own = scope == null ? Scope.NONE : new Scope(scope);
      if (id == null) {
        return new RequestId.OfKey(own, new DatedIds().next());
      }
      return inScope(own, RequestId.parse(id));
    } catch (IllegalArgumentException wrong) {
      throw new CommandFailure(ExitCode.USAGE, "--request-id: " + wrong.getMessage());
    }
  }

  private RequestId.OfKey inScope(Scope own, RequestId parsed) {
    if (!(parsed instanceof RequestId.OfKey key)) {
      throw new IllegalArgumentException(
          "the id of a session's request belongs to that session; give this one an id of its own");
    }
    if (scope == null || key.scope().equals(own)) {
      return key;
    }
    if (!key.scope().equals(Scope.NONE)) {
      throw new IllegalArgumentException(
          "the id is in the scope \"" + key.scope() + "\", but --scope says \"" + own + "\"");
    }
    return new RequestId.OfKey(own, key.key());
  }
}
