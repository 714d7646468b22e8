package io.onceward.testkit.history;

import io.onceward.Bytes;
import io.onceward.Executed;
import io.onceward.Outcome;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.RequestId;
import io.onceward.client.Abandonment;
import io.onceward.client.Decided;
import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Records what the clients of one process do and hear, in one file that nobody else writes. May be
 * used by any number of threads.
 *
 * <p>Each event is one write to the file before the call returns, so that it outlives a kill of the
 * process (not one of the machine): call {@link #invoked} before the request is handed to the
 * client, and {@link #answered} first thing after the answer.
 *
 * <p>Times are of {@link System#nanoTime}, which on Linux is the monotonic clock of the machine and
 * the same for all its processes; histories of several machines, or of a machine that was started
 * anew in between, cannot be checked together.
 *
 * <p>The id of a request is any text of up to 255 bytes that its recorder chose before it sent the
 * first copy: the tag of a journal, the text of a key. Ops with the same id are copies of one
 * request, in whatever file they are; ops without one are requests of their own.
 */
public final class HistoryWriter implements Closeable {
  private static final int FIRST_BUFFER = 4 << 10;
  private static final int FIXED_BYTES = 64;

  /** A stream and no channel, which an interrupted thread would close for all others. */
  private final FileOutputStream file;

  private final LongSupplier nanoTime;
  private final Map<String, Integer> names = new HashMap<>();
  private ByteBuffer buffer = ByteBuffer.allocate(FIRST_BUFFER);
  private long ops;
  private boolean broken;

  private HistoryWriter(FileOutputStream file, LongSupplier nanoTime) {
    this.file = file;
    this.nanoTime = nanoTime;
  }

  /**
   * Begins a history.
   *
   * @throws IOException also if there is such a file: a process that comes back takes a new one
   */
  public static HistoryWriter create(Path path) throws IOException {
    return create(path, System::nanoTime);
  }

  /** With a clock of one's own. */
  static HistoryWriter create(Path path, LongSupplier nanoTime) throws IOException {
    Files.createFile(path);
    HistoryWriter writer = new HistoryWriter(new FileOutputStream(path.toFile(), true), nanoTime);
    writer.buffer.putLong(RecordLayout.MAGIC);
    writer.flush();
    return writer;
  }

  /**
   * A copy of a request is about to be sent.
   *
   * @param id null if the request has none (E10)
   * @return the number of the op, by which it is answered
   */
  public long invoked(String client, String service, @Nullable String id, Bytes command) {
    return begin(OpKind.COMMAND, client, service, id == null ? "" : id, command);
  }

  /** A question that changes nothing is about to be sent; answered at position 0. */
  public long queried(String client, String service, Bytes question) {
    return begin(OpKind.QUERY, client, service, "", question);
  }

  /**
   * Somebody is about to ask what became of a request, or to abandon it, or to wait for it again.
   */
  public long inquired(String client, String service, String id) {
    return begin(OpKind.INQUIRY, client, service, id, Bytes.EMPTY);
  }

  private synchronized long begin(
      OpKind kind, String client, String service, String id, Bytes payload) {
    byte[] idBytes = id.getBytes(StandardCharsets.UTF_8);
    if (idBytes.length > RecordLayout.LONGEST_ID) {
      throw new IllegalArgumentException("an id of " + idBytes.length + " bytes is too long");
    }
    int clientNumber = number(client);
    int serviceNumber = number(service);
    long op = ++ops;
    int start = open(RecordLayout.INVOKED, op, idBytes.length + payload.length());
    buffer
        .putShort((short) clientNumber)
        .putShort((short) serviceNumber)
        .put((byte) kind.ordinal())
        .put((byte) idBytes.length)
        .put(idBytes)
        .put(payload.asBuffer());
    close(start);
    flush();
    return op;
  }

  /** A decision arrived, first or again. */
  public void answered(long op, Reply reply, long position, long timeMillis, boolean replay) {
    answer(op, reply, position, timeMillis, replay, null);
  }

  /** A question was answered. */
  public void answered(long op, Reply reply) {
    answer(op, reply, 0, 0, false, null);
  }

  /**
   * A decision arrived.
   *
   * @param ordered whether the session of the request is; not used if it has none
   */
  public void answered(long op, Decided decided, boolean ordered) {
    answer(
        op,
        decided.reply(),
        decided.position(),
        decided.timeMillis(),
        decided.replay(),
        ordered && decided.id() instanceof RequestId.OfSequence id ? id : null);
  }

  private synchronized void answer(
      long op,
      Reply reply,
      long position,
      long timeMillis,
      boolean replay,
      RequestId.@Nullable OfSequence place) {
    int start = open(RecordLayout.ANSWERED, op, reply.bytes().length());
    int flags = (replay ? RecordLayout.REPLAY : 0) | (place == null ? 0 : RecordLayout.IN_ORDER);
    buffer.put((byte) reply.kind().code()).put((byte) flags).putLong(position).putLong(timeMillis);
    if (place != null) {
      buffer.putLong(place.address().clusterTag());
      buffer.putLong(place.address().session());
      buffer.putLong(place.sequence());
    }
    buffer.put(reply.bytes().asBuffer());
    close(start);
    flush();
  }

  /** A copy was refused. */
  public synchronized void refused(long op, Refusal refusal, Executed executed) {
    int start = open(RecordLayout.REFUSED, op, 0);
    buffer.put((byte) refusal.code()).put((byte) executed.ordinal());
    close(start);
    flush();
  }

  /** The wait is over without a decision. Not needed: an op without an answer is unknown too. */
  public synchronized void unknown(long op) {
    close(open(RecordLayout.UNKNOWN, op, 0));
    flush();
  }

  /** What an inquiry led to. */
  public void learned(long op, Outcome outcome) {
    if (outcome instanceof Outcome.Executed executed) {
      answered(op, executed.reply(), executed.position(), executed.timeMillis(), true);
    } else if (outcome instanceof Outcome.Acknowledged) {
      refused(op, Refusal.ACKNOWLEDGED, Executed.YES);
    } else if (outcome instanceof Outcome.Abandoned) {
      refused(op, Refusal.ABANDONED, Executed.NEVER);
    } else {
      // Never seen, forgotten, or of a session that is gone: none of that is a decision (O1).
      unknown(op);
    }
  }

  /** What an inquiry that abandons led to. */
  public void learned(long op, Abandonment abandonment) {
    if (abandonment instanceof Abandonment.Executed executed) {
      Decided decided = executed.decided();
      answered(op, decided.reply(), decided.position(), decided.timeMillis(), true);
    } else {
      refused(op, Refusal.ABANDONED, Executed.NEVER);
    }
  }

  private int number(String name) {
    Integer known = names.get(name);
    if (known != null) {
      return known;
    }
    int number = names.size();
    if (number > Short.MAX_VALUE) {
      throw new IllegalStateException("a history has at most 32768 names of clients and services");
    }
    names.put(name, number);
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    room(text.length);
    int start = buffer.position();
    buffer.position(start + RecordLayout.HEADER_BYTES);
    buffer.put(RecordLayout.NAME).putShort((short) number).put(text);
    close(start);
    return number;
  }

  private int open(byte type, long op, int extraBytes) {
    room(extraBytes);
    int start = buffer.position();
    buffer.position(start + RecordLayout.HEADER_BYTES);
    buffer.put(type).putLong(op).putLong(nanoTime.getAsLong());
    return start;
  }

  private void close(int start) {
    int bodyStart = start + RecordLayout.HEADER_BYTES;
    int length = buffer.position() - bodyStart;
    if (length > RecordLayout.LONGEST_BODY) {
      throw new IllegalArgumentException("an event of " + length + " bytes is too long");
    }
    buffer
        .putInt(start, length)
        .putInt(start + 4, RecordLayout.sumOfLength(length))
        .putInt(start + 8, RecordLayout.sumOf(buffer.slice(bodyStart, length)));
  }

  private void room(int extraBytes) {
    int needed = Math.addExact(FIXED_BYTES + RecordLayout.HEADER_BYTES, extraBytes);
    if (buffer.remaining() < needed) {
      ByteBuffer larger =
          ByteBuffer.allocate(Math.max(2 * buffer.capacity(), buffer.position() + needed));
      buffer = larger.put(buffer.flip());
    }
  }

  /** One write to the file. After one that failed nothing is written behind its torn record. */
  private void flush() {
    if (broken) {
      throw new IllegalStateException("an earlier event could not be written");
    }
    broken = true;
    try {
      file.write(buffer.array(), 0, buffer.position());
      broken = false;
    } catch (IOException e) {
      throw new UncheckedIOException("the history cannot be written", e);
    } finally {
      buffer.clear();
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
