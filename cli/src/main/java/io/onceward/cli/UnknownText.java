package io.onceward.cli;

import io.onceward.guard.Evidence;
import io.onceward.guard.GuardedId;
import io.onceward.guard.UnknownRequest;

/** An unknown request as people and programs see it. */
final class UnknownText {
  private UnknownText() {}

  /** The options that name this request behind its key; empty if the key alone does. */
  static String options(GuardedId id) {
    return (id.scope().name().isEmpty() ? "" : " --scope " + ShellWord.of(id.scope().name()))
        + (id.principal().isEmpty() ? "" : " --principal " + ShellWord.of(id.principal()));
  }

  static Json json(UnknownRequest request) {
    return json(request.id())
        .text("operation", request.operation())
        .text("memo", request.memo())
        .number("fence", request.fence())
        .text("started", request.started().toString())
        .number("startedMillisAgo", request.startedMillisAgo())
        .text("why", request.why())
        .text("idempotencyKey", request.id().idempotencyKey());
  }

  static Json json(GuardedId id) {
    return new Json()
        .text("key", id.key().toString())
        .text("scope", id.scope().name())
        .text("principal", id.principal());
  }

  static Json json(Evidence late) {
    Json json =
        new Json()
            .number("fence", late.fence())
            .text("arrived", late.arrived().toString())
            .text("kind", late.reply().kind().name());
    return BytesText.add(json, "reply", late.reply().bytes());
  }

  static String line(Evidence late) {
    return late.arrived()
        + " run "
        + late.fence()
        + " ended late: "
        + late.reply().kind()
        + ", "
        + BytesText.shown(late.reply().bytes());
  }
}
