package io.onceward.replica;

import io.onceward.Bytes;
import io.onceward.DamagedException;
import java.util.List;

/**
 * A batch of requests as one entry of the replicated log.
 *
 * @param clusterTag {@link io.onceward.ClusterId#tag()} of the cluster whose leader made the entry;
 *     0 for the one that forms it. A replica of another cluster stops before it applies the entry
 * @param stampMillis the leader's clock when it made the entry (T2)
 * @param proposals the requests in the order in which they are applied
 */
public record LogEntry(long clusterTag, long stampMillis, List<Proposal> proposals) {

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
