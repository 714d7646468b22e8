package io.onceward.cli;

import io.onceward.RequestId;
import java.util.function.BooleanSupplier;

/**
 * A request that is not decided yet. If the process is told to end meanwhile (Ctrl-C, {@code
 * timeout}), the id is printed: without it, the next run would be another request.
 */
final class UnderWay {
  private final Voice voice;
  private final RequestId id;
  private final BooleanSupplier sent;
  private final Thread hook = new Thread(this::interrupted, "onceward-interrupted");

  private UnderWay(Voice voice, RequestId id, BooleanSupplier sent) {
    this.voice = voice;
    this.id = id;
    this.sent = sent;
  }

  /**
   * Begins to watch.
   *
   * @param sent whether anything may have left this process
   */
  static UnderWay of(Voice voice, RequestId id, BooleanSupplier sent) {
    UnderWay underWay = new UnderWay(voice, id, sent);
    Runtime.getRuntime().addShutdownHook(underWay.hook);
    return underWay;
  }

  private void interrupted() {
    if (sent.getAsBoolean()) {
      voice.complain(
          "interrupted; " + advice(id),
          new Json().text("executed", "UNKNOWN").text("requestId", id.print()));
    } else {
      voice.complain("interrupted; nothing was sent", new Json().text("executed", "NEVER"));
    }
  }

  /** What to do about a request that may have happened. */
  static String advice(RequestId id) {
    return "it may have happened or still happen. To be sure that it happens once, run the same"
        + " again with --request-id "
        + ShellWord.of(id.print());
  }

  /** It is decided, and what there is to say was said. */
  void decided() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // Then it is said although it is decided; that id is the right one all the same.
    }
  }
}
