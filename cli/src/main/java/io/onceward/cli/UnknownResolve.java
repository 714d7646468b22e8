package io.onceward.cli;

import io.onceward.Reply;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.GuardedId;
import io.onceward.guard.StoreUnavailableException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** An operator's word on a request whose fate nobody knew (G3). */
@Command(
    name = "resolve",
    description = {
      "Say what became of a request whose fate nobody knew. Retries are answered accordingly.",
      "",
      "--happened takes the reply that retries are to get, and --format says what kind of guard",
      "reads it, because the store does not know and a reply cannot be corrected afterwards:",
      "  http  a response of the servlet filter or of a Spring route: --status, --media-type, its body;",
      "        an empty reply without a status if the response is not known",
      "  grpc  the interceptor: only the empty reply, the message is not known",
      "  json  a method of a Spring application: what it returned, as JSON; empty for void. The",
      "        Actuator endpoint also checks that it fits the method",
      "  raw   everything else: the bytes that the application's own codec reads, taken as they are",
      "",
      "--can-no-longer-happen lets the next copy of the request run the effect again. It is right only",
      "if the effect did not happen and no earlier run can still do it: a run that is slow or paused, a",
      "message on its way. \"I do not see it there\" is not enough. It asks for the key once more, as a",
      "confirmation, unless --yes is given."
    },
    footer = {
      "",
      "Examples:",
      "  onceward unknown resolve order-4711 --fence 1 --happened --format raw --reply 'receipt 77'",
      "  onceward unknown resolve order-4711 --fence 1 --happened --format http --status 201 \\",
      "      --media-type application/json --reply '{\"receipt\":77}'",
      "  onceward unknown resolve order-4711 --fence 1 --can-no-longer-happen"
    })
final class UnknownResolve extends ClaimsCommand {
  /** What was found out. */
  static final class Word {
    @Option(names = "--happened", description = "It took effect; give its reply.")
    private boolean happened;

    @Option(
        names = "--can-no-longer-happen",
        description =
            "It did not happen and can no longer happen: run it again when it is retried.")
    private boolean canNoLongerHappen;
  }

  @Mixin private final GuardedIdArgument argument = new GuardedIdArgument();

  @Option(
      names = "--fence",
      required = true,
      paramLabel = "N",
      description = "The run that was looked into, as 'unknown ls' shows it.")
  private long fence;

  @ArgGroup(multiplicity = "1")
  private final Word word = new Word();

  @Option(
      names = "--reply",
      paramLabel = "TEXT",
      description = "What retries get, if it happened; '' for an empty reply.")
  private @Nullable String reply;

  @Mixin private final ValueArgument value;

  @Option(
      names = "--format",
      paramLabel = "FORM",
      description = "What reads the reply, if it happened: http, grpc, json or raw.")
  private @Nullable String format;

  @Option(
      names = "--status",
      paramLabel = "N",
      description = "The status of the response, with --format http.")
  private @Nullable Integer status;

  @Option(
      names = "--media-type",
      paramLabel = "TYPE",
      description = "The media type of the response's body, with --format http.")
  private @Nullable String mediaType;

  @Option(
      names = "--business-error",
      description = "It happened and was refused: the reply is a business error.")
  private boolean businessError;

  @Option(names = "--yes", description = "Do not ask for a confirmation.")
  private boolean yes;

  UnknownResolve(Terminal terminal) {
    super(terminal);
    this.value = new ValueArgument(terminal);
  }

  @Override
  void check() {
    argument.id();
    if (fence < 1) {
      throw new IllegalArgumentException("--fence is a whole number from 1 up, not " + fence);
    }
    if (word.happened) {
      if (reply == null && !value.isGiven()) {
        throw new IllegalArgumentException(
            "what happened has a reply: give --reply TEXT or --file FILE; --reply '' if it is empty");
      }
      said();
    } else if (reply != null
        || value.isGiven()
        || businessError
        || format != null
        || status != null
        || mediaType != null) {
      throw new IllegalArgumentException(
          "--reply, --file, --format, --status, --media-type and --business-error belong to"
              + " --happened");
    }
  }

  /** What retries are to get. */
  private Reply said() {
    if (format == null) {
      throw new IllegalArgumentException(
          "what happened has a reply, and somebody reads it: give --format http, grpc, json or raw");
    }
    return ReplyForm.of(format)
        .reply(new ReplyForm.Said(value.bytes(reply), businessError, status, mediaType));
  }

  @Override
  ExitCode ask(ClaimStore store) {
    boolean taken;
    try {
      taken = word.canNoLongerHappen ? canNoLongerHappen(store) : happened(store);
    } catch (StoreUnavailableException away) {
      if (isUnreachable(away)) {
        throw away;
      }
      throw new CommandFailure(
          ExitCode.UNKNOWN,
          away.getMessage() + "; run the same again: it is safe to say it twice",
          new Json(),
          away);
    }
    GuardedId id = argument.id();
    Json json = UnknownText.json(id).number("fence", fence).flag("taken", taken);
    if (!taken) {
      throw new CommandFailure(
          ExitCode.NO,
          argument.key()
              + " is not unknown with fence "
              + fence
              + ": it was resolved or given to another run meanwhile, or there is no such request;"
              + " look with 'onceward unknown show "
              + ShellWord.of(argument.key())
              + UnknownText.options(id)
              + place().option()
              + "'",
          json,
          null);
    }
    voice()
        .say(
            word.happened
                ? argument.key() + " happened; retries get this reply"
                : argument.key() + " is free; the next copy of it runs",
            json);
    return ExitCode.DONE;
  }

  private boolean happened(ClaimStore store) {
    Reply said = said();
    if (said.bytes().length() > store.maxReplyBytes()) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "the reply has "
              + said.bytes().length()
              + " bytes; this store keeps at most "
              + store.maxReplyBytes());
    }
    return store.done(argument.id(), fence, said);
  }

  private boolean canNoLongerHappen(ClaimStore store) {
    if (!yes) {
      confirm();
    }
    return store.release(argument.id(), fence);
  }

  private void confirm() {
    voice()
        .remark(
            "if any earlier run can still take effect, it will happen twice; type the key "
                + argument.key()
                + " to go on");
    String typed;
    try {
      typed =
          new BufferedReader(new InputStreamReader(voice().terminal().in(), StandardCharsets.UTF_8))
              .readLine();
    } catch (IOException unreadable) {
      typed = null;
    }
    if (!argument.key().equals(typed == null ? null : typed.strip())) {
      throw new CommandFailure(
          ExitCode.USAGE, "not confirmed, so nothing was changed; --yes confirms for scripts");
    }
  }
}
