package io.onceward.golden;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Outcome;
import io.onceward.Reply;
import java.util.ArrayList;
import java.util.List;

/** Decisions and outcomes in the words of the specification. */
final class Printer {
  /** Longer replies are told by their length. */
  private static final int SHOWN = 60;

  private Printer() {}

  /** A decision, other than that a session is open: who that is, only the {@link Cast} can tell. */
  static String decision(Decision decision) {
    if (decision instanceof Decision.Replied replied) {
      return (replied.replay() ? "replayed " : "executed ") + reply(replied.reply());
    } else if (decision instanceof Decision.Refused refused) {
      String limit = refused.limit().isEmpty() ? "" : " \"" + refused.limit() + "\"";
      return "refused " + refused.refusal() + limit + " (" + conclusion(refused) + ")";
    } else if (decision instanceof Decision.Abandoned abandoned) {
      return abandoned.forEver() ? "abandoned for ever" : "abandoned until retention ends";
    } else if (decision instanceof Decision.Done) {
      return "done";
    } else if (decision instanceof Decision.Forgot forgot) {
      return "forgot " + forgot.records();
    } else if (decision instanceof Decision.Rejected) {
      return "rejected";
    }
    throw new IllegalArgumentException("no words for " + decision);
  }

  static String opened(String incarnation, Decision.Opened opened) {
    return "opened "
        + incarnation
        + ", next "
        + opened.nextSequence()
        + ", watermark "
        + opened.watermark()
        + (opened.window() == 1024 ? "" : ", window " + opened.window())
        + (opened.ordered() ? "" : ", unordered");
  }

  /** What the sender may conclude from a refusal (O3). */
  private static String conclusion(Decision.Refused refused) {
    String executed =
        switch (refused.executed()) {
          case YES -> "yes";
          case NEVER -> "never";
          case NOT_THIS_COPY -> "not this copy";
        };
    return refused.refusal().mayResend() ? executed + ", send again" : executed;
  }

  static String outcome(Outcome outcome) {
    if (outcome instanceof Outcome.Executed executed) {
      return "executed "
          + reply(executed.reply())
          + " at entry "
          + executed.position()
          + ", "
          + Durations.printMoment(executed.timeMillis());
    } else if (outcome instanceof Outcome.Acknowledged) {
      return "acknowledged";
    } else if (outcome instanceof Outcome.Abandoned) {
      return "abandoned";
    } else if (outcome instanceof Outcome.NoRecordSince since) {
      return "no record since " + Durations.printMicros(since.horizonMicros());
    } else if (outcome instanceof Outcome.NeverSeen) {
      return "never seen";
    } else if (outcome instanceof Outcome.NoSession) {
      return "no session";
    }
    throw new IllegalArgumentException("no words for " + outcome);
  }

  private static String reply(Reply reply) {
    return switch (reply.kind()) {
      case OK -> bytes(reply.bytes());
      case BUSINESS_ERROR -> "error " + bytes(reply.bytes());
      case FAILED -> reply.bytes().length() == 0 ? "FAILED" : "FAILED " + bytes(reply.bytes());
      case REPLY_TOO_LARGE ->
          reply.bytes().length() == 0
              ? "REPLY_TOO_LARGE"
              : "REPLY_TOO_LARGE " + bytes(reply.bytes());
    };
  }

  private static String bytes(Bytes bytes) {
    return bytes.length() > SHOWN ? bytes.length() + " bytes" : '"' + bytes.asText() + '"';
  }

  /**
   * Many results in one line: {@code executed "1" … executed "100" (100 times), then done}. Results
   * that differ only in what stands in quotes or in numbers belong together.
   */
  static String summary(List<String> results) {
    List<String> groups = new ArrayList<>();
    int first = 0;
    for (int i = 1; i <= results.size(); i++) {
      if (i == results.size() || !shape(results.get(i)).equals(shape(results.get(first)))) {
        String begin = results.get(first);
        String end = results.get(i - 1);
        String span = begin.equals(end) ? begin : begin + " … " + end;
        groups.add(i - first == 1 ? begin : span + " (" + (i - first) + " times)");
        first = i;
      }
    }
    return String.join(", then ", groups);
  }

  private static String shape(String result) {
    return result.replaceAll("\"\\d*\"", "\"\"").replaceAll("\\d+", "0");
  }
}
