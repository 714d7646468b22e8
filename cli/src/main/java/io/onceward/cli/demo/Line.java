package io.onceward.cli.demo;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.RequestId;
import io.onceward.client.Decided;
import java.util.HexFormat;

/**
 * One line of a client's record: what it asked, and what it was told. A tag names one errand of one
 * client; it is the client's own and means nothing to the cluster.
 */
sealed interface Line {

  /**
   * Written before the request is handed to the library.
   *
   * @param copies how often this client sends it of its own accord, and so how many answers it
   *     expects
   */
  record Asked(String tag, int copies, Errand errand) implements Line {
    @Override
    public String print() {
      return String.join("\t", "asked", tag, Integer.toString(copies), errand.print());
    }
  }

  /** The request executed, and this is the reply. */
  record Told(String tag, RequestId id, Reply reply, boolean replay, long position, long timeMillis)
      implements Line {
    static Told of(String tag, Decided decided) {
      return new Told(
          tag,
          decided.id(),
          decided.reply(),
          decided.replay(),
          decided.position(),
          decided.timeMillis());
    }

    @Override
    public String print() {
      return String.join(
          "\t",
          "told",
          tag,
          id.print(),
          reply.kind().name(),
          HexFormat.of().formatHex(reply.bytes().toArray()),
          Boolean.toString(replay),
          Long.toString(position),
          Long.toString(timeMillis));
    }
  }

  /** The request was abandoned: it did not execute and never will. */
  record Abandoned(String tag, RequestId id) implements Line {
    @Override
    public String print() {
      return String.join("\t", "abandoned", tag, id.print());
    }
  }

  /** Something that must not happen. */
  record Complaint(String text) implements Line {
    @Override
    public String print() {
      return "complaint\t" + text.replaceAll("\\s+", " ");
    }
  }

  String print();

  /**
   * Reads what {@link #print} printed.
   *
   * @throws IllegalArgumentException if it is something else
   */
  static Line parse(String text) {
    String[] parts = text.split("\t", -1);
    if (parts[0].equals("asked") && parts.length == 4) {
      return new Asked(parts[1], Integer.parseInt(parts[2]), Errand.parse(parts[3]));
    }
    if (parts[0].equals("told") && parts.length == 8) {
      Bytes bytes = Bytes.of(HexFormat.of().parseHex(parts[4]));
      return new Told(
          parts[1],
          RequestId.parse(parts[2]),
          new Reply(Reply.Kind.valueOf(parts[3]), bytes),
          Boolean.parseBoolean(parts[5]),
          Long.parseLong(parts[6]),
          Long.parseLong(parts[7]));
    }
    if (parts[0].equals("abandoned") && parts.length == 3) {
      return new Abandoned(parts[1], RequestId.parse(parts[2]));
    }
    if (parts[0].equals("complaint") && parts.length == 2) {
      return new Complaint(parts[1]);
    }
    throw new IllegalArgumentException("not a line of a client's record: " + text);
  }
}
