package io.onceward.replica;

import io.onceward.Bytes;
import io.onceward.DamagedException;
import java.util.List;

/**
 * A batch of requests as one entry of the replicated log.
 *
 * @param group which of several state machines the entry is for; 0 until there are several
 * @param stampMillis the leader's wall clock when it made the entry (T2)
 * @param proposals the requests in the order in which they are applied
 */
public record LogEntry(int group, long stampMillis, List<Proposal> proposals) {

  public LogEntry {
    proposals = List.copyOf(proposals);
  }

  /** A framed request and who asks it. */
  public record Proposal(String principal, Bytes frame) {
    public Proposal(String principal, Request request) {
      this(principal, Bytes.of(RequestCodec.encode(request)));
    }
  }

  /**
   * The bytes that go into the log.
   *
   * @throws IllegalArgumentException if a part of the entry is over its limit
   */
  public byte[] encode() {
    return LogEntryCodec.encode(this);
  }

  /**
   * Reads an entry; the frames are views into {@code bytes}.
   *
   * @throws DamagedException naming the offset and what is wrong there
   */
  public static LogEntry decode(byte[] bytes) {
    return LogEntryCodec.decode(bytes);
  }
}
