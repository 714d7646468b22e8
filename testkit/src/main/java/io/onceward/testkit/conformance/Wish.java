package io.onceward.testkit.conformance;

import io.onceward.Reply;
import org.jspecify.annotations.Nullable;

/**
 * What the effect of a request is to do: {@code ok TEXT} replies, {@code error TEXT} is a business
 * error, {@code crash TEXT} throws what nobody mapped, {@code nothing TEXT} says that it did not
 * happen, {@code large} replies more than any home keeps, {@code late TEXT} replies after its
 * lease.
 */
public record Wish(String verb, String text) {
  private static final int MORE_THAN_ANY_HOME_KEEPS = 2 << 20;
  private static final String LATE = "late";

  /** The effect said that nothing happened (G2). */
  public static final class NothingHappened extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NothingHappened() {
      super("nothing happened");
    }
  }

  public static Wish of(String words) {
    int space = words.indexOf(' ');
    return space < 0
        ? new Wish(words, "")
        : new Wish(words.substring(0, space), words.substring(space + 1));
  }

  /** Whether the effect takes place before the reply is made. */
  public boolean takesEffect() {
    return !verb.equals("nothing") && !verb.equals("error");
  }

  /** Whether it goes on for longer than its lease. */
  boolean isLate() {
    return verb.equals(LATE);
  }

  /** What it answers; a wish that crashes throws. */
  public Reply reply() {
    Reply reply = replyOrNull();
    if (reply == null) {
      throw new IllegalArgumentException("a wish begins with ok, error, crash or nothing: " + verb);
    }
    return reply;
  }

  private @Nullable Reply replyOrNull() {
    return switch (verb) {
      case "ok", LATE -> Reply.ok(text);
      case "large" -> Reply.ok("x".repeat(MORE_THAN_ANY_HOME_KEEPS));
      case "error" -> Reply.businessError(text);
      case "crash" -> throw new IllegalStateException(text);
      case "nothing" -> throw new NothingHappened();
      default -> null;
    };
  }
}
