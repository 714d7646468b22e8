package io.onceward.testkit.history.numbered;

import io.onceward.Bytes;
import io.onceward.Command;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.SortedSet;

/**
 * A service that puts a serial in front of every reply, success and business error alike: how many
 * commands it has executed, this one included, as eight bytes, most significant first. A query is
 * answered with the serial of the last command before it.
 *
 * <p>The serial is counted where the effect happens and travels in the snapshot, so it tells the
 * order of effects as the state machine had it. An effect that happens twice, or is lost, moves
 * every serial behind it.
 */
public class Numbered implements Service {
  /** How much longer a reply is than that of the service inside. */
  public static final int SERIAL_BYTES = Long.BYTES;

  private static final int SNAPSHOT_VERSION = 1;

  private final Service inside;
  private long serial;

  /** Numbers what this service executes, which nobody else may use. */
  public Numbered(Service inside) {
    this.inside = inside;
  }

  /**
   * Counts first: a service that fails has executed, perhaps in part (E8), and its reply, which is
   * of fixed bytes, leaves a hole among the serials.
   */
  @Override
  public final Reply execute(Command command) {
    serial++;
    return numbered(inside.execute(command));
  }

  @Override
  public final String obstacle(Command command, long bytesLeft) {
    return inside.obstacle(command, bytesLeft);
  }

  @Override
  public final long stateBytes() {
    return inside.stateBytes();
  }

  @Override
  public final void expire(long ageMillis) {
    inside.expire(ageMillis);
  }

  @Override
  public final boolean canExpire() {
    return inside.canExpire();
  }

  @Override
  public final boolean owns(String principal) {
    return inside.owns(principal);
  }

  @Override
  public final void renamed(String principal, String successor) {
    inside.renamed(principal, successor);
  }

  @Override
  public final SortedSet<String> offers() {
    return inside.offers();
  }

  @Override
  public final void enable(SortedSet<String> names) {
    inside.enable(names);
  }

  @Override
  public final Reply query(Command question) {
    return numbered(inside.query(question));
  }

  private Reply numbered(Reply reply) {
    return switch (reply.kind()) {
      case OK, BUSINESS_ERROR -> new Reply(reply.kind(), prefixed(reply.bytes()));
      case FAILED, REPLY_TOO_LARGE -> reply;
    };
  }

  private Bytes prefixed(Bytes bytes) {
    byte[] prefixed = new byte[SERIAL_BYTES + bytes.length()];
    for (int i = 0; i < SERIAL_BYTES; i++) {
      prefixed[i] = (byte) (serial >>> 8 * (SERIAL_BYTES - 1 - i));
    }
    bytes.copyTo(prefixed, SERIAL_BYTES);
    return Bytes.of(prefixed);
  }

  /**
   * The serial of a reply.
   *
   * @throws IllegalArgumentException if it has none: it is too short, or not kept
   */
  public static long serialOf(Reply reply) {
    checkNumbered(reply);
    return reply.bytes().longAt(0);
  }

  /** What the service inside answered. */
  public static Reply bare(Reply reply) {
    checkNumbered(reply);
    Bytes bytes = reply.bytes();
    return new Reply(reply.kind(), bytes.slice(SERIAL_BYTES, bytes.length() - SERIAL_BYTES));
  }

  private static void checkNumbered(Reply reply) {
    if (reply.bytes().length() < SERIAL_BYTES) {
      throw new IllegalArgumentException("a reply without a serial: " + reply);
    }
  }

  @Override
  public final Frozen freeze() {
    long counted = serial;
    Frozen state = inside.freeze();
    return target -> {
      DataOutputStream out = new DataOutputStream(target);
      out.writeByte(SNAPSHOT_VERSION);
      out.writeLong(counted);
      out.flush();
      state.writeTo(target);
    };
  }

  @Override
  public final void restore(InputStream source) throws IOException {
    DataInputStream in = new DataInputStream(source);
    int version = in.readUnsignedByte();
    if (version != SNAPSHOT_VERSION) {
      throw new IOException(
          "a numbered state has version " + version + "; this build reads " + SNAPSHOT_VERSION);
    }
    long counted = in.readLong();
    inside.restore(source);
    serial = counted;
  }
}
