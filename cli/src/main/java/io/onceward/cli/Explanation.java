package io.onceward.cli;

import io.onceward.Executed;
import io.onceward.Reply;
import io.onceward.client.BusinessErrorException;
import io.onceward.client.OncewardException;
import io.onceward.client.RefusedException;
import io.onceward.client.UnreachableException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** What an exception means to whoever typed the command: one line and an exit code. */
final class Explanation {
  private Explanation() {}

  static CommandFailure of(Throwable problem) {
    Throwable cause = problem;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof CommandFailure failure) {
      return failure;
    }
    if (cause instanceof OncewardException told) {
      return of(told);
    }
    if (cause instanceof OutOfMemoryError) {
      return new CommandFailure(ExitCode.MEMORY, "out of memory", new Json(), cause);
    }
    return new CommandFailure(ExitCode.BUG, "unexpected: " + cause, new Json(), cause);
  }

  private static CommandFailure of(OncewardException told) {
    ExitCode exit =
        told instanceof BusinessErrorException
            ? ExitCode.NO
            : told instanceof UnreachableException
                ? ExitCode.UNREACHABLE
                : told.executed() == Executed.UNKNOWN ? ExitCode.UNKNOWN : ExitCode.REFUSED;
    Json details = new Json().text("executed", told.executed().name());
    told.requestId().ifPresent(id -> details.text("requestId", id.print()));
    if (told instanceof RefusedException refused) {
      details.text("refusal", refused.refusal().name());
    }
    return new CommandFailure(exit, OneLine.of(String.valueOf(told.getMessage())), details, told);
  }

  /** A reply that is not what was hoped for. The request executed all the same. */
  static CommandFailure of(Reply reply, String mark, Json details) {
    String message =
        switch (reply.kind()) {
          case OK -> throw new IllegalArgumentException("nothing to explain: " + reply);
          case BUSINESS_ERROR -> OneLine.of(reply.bytes().asText());
          case FAILED -> "the service failed; it may have done a part of what was asked";
          case REPLY_TOO_LARGE -> "done, but the reply was too large to be kept";
        };
    details.text("kind", reply.kind().name());
    return new CommandFailure(ExitCode.NO, message + mark, details, null);
  }
}
