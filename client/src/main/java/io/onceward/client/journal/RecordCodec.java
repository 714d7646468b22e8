package io.onceward.client.journal;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.IdText;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.client.session.JournalRecord;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** The bytes of one journal record: a type and its fields, numbers most significant byte first. */
final class RecordCodec {
  private static final int OPENING = 1;
  private static final int NOT_OPENED = 2;
  private static final int OPENED = 3;
  private static final int ASKED = 4;
  private static final int HOLES = 5;
  private static final int DECIDED = 6;
  private static final int TAKEN = 7;
  private static final int OVER = 8;

  /** As {@link #LEFT}, without a fingerprint; read, but not written any more. */
  private static final int LEFT_UNMARKED = 9;

  private static final int LEFT = 10;

  private static final int NOTHING = 0;
  private static final int REPLIED = 1;
  private static final int REFUSED = 2;

  private RecordCodec() {}

  static byte[] encode(JournalRecord record) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
    try {
      write(record, new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail", e);
    }
    return bytes.toByteArray();
  }

  private static void write(JournalRecord record, DataOutputStream out) throws IOException {
    if (record instanceof JournalRecord.Opening r) {
      out.writeByte(OPENING);
      bytes(out, Bytes.of(RequestCodec.encode(r.opening())));
    } else if (record instanceof JournalRecord.NotOpened) {
      out.writeByte(NOT_OPENED);
    } else if (record instanceof JournalRecord.Opened r) {
      out.writeByte(OPENED);
      address(out, r.address());
      out.writeLong(r.nextSequence());
    } else if (record instanceof JournalRecord.Asked r) {
      out.writeByte(ASKED);
      out.writeLong(r.sequence());
      text(out, r.tag());
      fingerprint(out, r.fingerprint());
      bytes(out, r.payload());
    } else if (record instanceof JournalRecord.Holes r) {
      out.writeByte(HOLES);
      out.writeLong(r.start());
      out.writeLong(r.end());
    } else if (record instanceof JournalRecord.Decided r) {
      out.writeByte(DECIDED);
      out.writeLong(r.sequence());
      decision(out, r.decision());
    } else if (record instanceof JournalRecord.Taken r) {
      out.writeByte(TAKEN);
      text(out, r.tag());
    } else if (record instanceof JournalRecord.Over) {
      out.writeByte(OVER);
    } else if (record instanceof JournalRecord.Left r) {
      out.writeByte(LEFT);
      address(out, r.address());
      out.writeLong(r.sequence());
      text(out, r.tag());
      fingerprint(out, r.fingerprint());
      decision(out, r.decision());
    } else {
      throw new AssertionError("a record without a layout: " + record);
    }
  }

  /**
   * Reads one record, which must take all the bytes; nothing of it is a view into them.
   *
   * @throws IOException if the bytes are no record
   * @throws RuntimeException likewise
   */
  static JournalRecord decode(DataInputStream in) throws IOException {
    int type = in.readUnsignedByte();
    JournalRecord record =
        switch (type) {
          case OPENING -> {
            if (RequestCodec.decode(bytes(in)) instanceof Request.Open open) {
              yield new JournalRecord.Opening(open);
            }
            throw new IOException("an opening that is none");
          }
          case NOT_OPENED -> new JournalRecord.NotOpened();
          case OPENED -> new JournalRecord.Opened(address(in), in.readLong());
          case ASKED -> asked(in);
          case HOLES -> new JournalRecord.Holes(in.readLong(), in.readLong());
          case DECIDED -> {
            long sequence = in.readLong();
            Decision decision = decision(in);
            if (decision == null) {
              throw new IOException("a decision without content");
            }
            yield new JournalRecord.Decided(sequence, decision);
          }
          case TAKEN -> new JournalRecord.Taken(text(in));
          case OVER -> new JournalRecord.Over();
          case LEFT_UNMARKED ->
              new JournalRecord.Left(address(in), in.readLong(), text(in), null, decision(in));
          case LEFT ->
              new JournalRecord.Left(
                  address(in), in.readLong(), text(in), fingerprint(in), decision(in));
          default -> throw new IOException("record type " + type + " is unknown to this build");
        };
    if (in.read() >= 0) {
      throw new IOException("bytes behind a record of type " + type);
    }
    return record;
  }

  private static JournalRecord asked(DataInputStream in) throws IOException {
    return new JournalRecord.Asked(in.readLong(), text(in), fingerprint(in), bytes(in));
  }

  private static void fingerprint(DataOutputStream out, @Nullable Fingerprint fingerprint)
      throws IOException {
    out.writeBoolean(fingerprint != null);
    out.writeLong(fingerprint == null ? 0 : fingerprint.bits());
  }

  private static @Nullable Fingerprint fingerprint(DataInputStream in) throws IOException {
    boolean present = in.readBoolean();
    long bits = in.readLong();
    return present ? new Fingerprint(bits) : null;
  }

  private static void decision(DataOutputStream out, @Nullable Decision decision)
      throws IOException {
    if (decision == null) {
      out.writeByte(NOTHING);
    } else if (decision instanceof Decision.Replied replied) {
      out.writeByte(REPLIED);
      out.writeByte(replied.reply().kind().code());
      bytes(out, replied.reply().bytes());
      out.writeBoolean(replied.replay());
      out.writeLong(replied.position());
      out.writeLong(replied.timeMillis());
    } else if (decision instanceof Decision.Refused refused) {
      out.writeByte(REFUSED);
      out.writeByte(refused.refusal().code());
      text(out, refused.limit());
      out.writeByte(refused.executed().ordinal());
    } else {
      throw new IllegalArgumentException("no decision about a request: " + decision);
    }
  }

  private static @Nullable Decision decision(DataInputStream in) throws IOException {
    int type = in.readUnsignedByte();
    return switch (type) {
      case NOTHING -> null;
      case REPLIED ->
          new Decision.Replied(
              new Reply(Reply.Kind.ofCode(in.readUnsignedByte()), bytes(in)),
              in.readBoolean(),
              in.readLong(),
              in.readLong());
      case REFUSED -> {
        Refusal refusal = Refusal.ofCode(in.readUnsignedByte());
        String limit = text(in);
        yield new Decision.Refused(
            refusal, limit, Refusal.Executed.values()[in.readUnsignedByte()]);
      }
      default -> throw new IOException("decision type " + type + " is unknown to this build");
    };
  }

  private static void address(DataOutputStream out, Request.Address address) throws IOException {
    out.writeLong(address.clusterTag());
    out.writeLong(address.session());
    out.writeLong(address.incarnation());
  }

  private static Request.Address address(DataInputStream in) throws IOException {
    return new Request.Address(in.readLong(), in.readLong(), in.readLong());
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    bytes(out, Bytes.of(IdText.utf8("a text in the journal", text)));
  }

  private static String text(DataInputStream in) throws IOException {
    return bytes(in).asText();
  }

  private static void bytes(DataOutputStream out, Bytes bytes) throws IOException {
    out.writeInt(bytes.length());
    out.write(bytes.toArray());
  }

  private static Bytes bytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new IOException(length + " bytes where " + in.available() + " are left");
    }
    return Bytes.of(in.readNBytes(length));
  }
}
