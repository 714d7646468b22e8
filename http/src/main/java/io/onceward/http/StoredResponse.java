package io.onceward.http;

import io.onceward.Bytes;
import io.onceward.Reply;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP response as it is remembered: status, the headers that are worth keeping, body. A probe
 * or an operator who found out that a request happened (G3) makes one with {@link #of} and hands
 * its {@link #toReply} to the guard.
 *
 * <p>The bytes: {@code OWH1}, status (2 bytes), number of headers (2), for each header the length
 * of its name (2) and the name, the length of its value (4) and the value, both UTF-8; the rest is
 * the body. Numbers are big-endian.
 */
public final class StoredResponse {
  private static final int MAGIC = 0x4f574831; // OWH1
  private static final int FIRST_ERROR = 400;

  /** One line of the header section; a name may stand in several. */
  public record Header(String name, String value) {}

  private final int status;
  private final List<Header> headers;
  private final Bytes body;

  StoredResponse(int status, List<Header> headers, Bytes body) {
    if (status < 100 || status > 999) {
      throw new IllegalArgumentException("a status has three digits, got " + status);
    }
    this.status = status;
    this.headers = List.copyOf(headers);
    this.body = Objects.requireNonNull(body, "body");
  }

  /** A response without headers but its media type. */
  public static StoredResponse of(int status, String mediaType, String body) {
    return new StoredResponse(
        status, List.of(new Header("Content-Type", mediaType)), Bytes.utf8(body));
  }

  /** A response as somebody else has captured it; the headers are those that are worth keeping. */
  public static StoredResponse of(int status, List<Header> headers, Bytes body) {
    return new StoredResponse(status, headers, body);
  }

  /** The same with one more header, such as {@code Location}. */
  public StoredResponse with(String name, String value) {
    List<Header> more = new ArrayList<>(headers);
    more.add(new Header(name, value));
    return new StoredResponse(status, more, body);
  }

  public int status() {
    return status;
  }

  public List<Header> headers() {
    return headers;
  }

  public Bytes body() {
    return body;
  }

  /** The value of the first header of that name, whatever the case of its letters, or null. */
  public @Nullable String header(String name) {
    for (Header header : headers) {
      if (header.name().equalsIgnoreCase(name)) {
        return header.value();
      }
    }
    return null;
  }

  /** What a guard remembers: a status of 400 and more counts as a business error. */
  public Reply toReply() {
    return status < FIRST_ERROR ? Reply.ok(encode()) : Reply.businessError(encode());
  }

  /** The response in a reply, or null if it holds none, such as one that was too large to keep. */
  public static @Nullable StoredResponse in(Reply reply) {
    return switch (reply.kind()) {
      case OK, BUSINESS_ERROR -> decode(reply.bytes());
      case FAILED, REPLY_TOO_LARGE -> null;
    };
  }

  /**
   * Takes only replies that retries can be given: a response, or nothing, which says that the
   * request was executed and its answer is not known.
   *
   * @throws IllegalArgumentException if it is something else, such as an operator's note
   */
  public static void requireReadable(Reply reply) {
    if (reply.bytes().length() > 0 && in(reply) == null) {
      throw new IllegalArgumentException(
          "no response, which StoredResponse.of(...).toReply() makes; if the answer is not known,"
              + " it is empty: "
              + reply);
    }
  }

  private Bytes encode() {
    ByteArrayOutputStream head = new ByteArrayOutputStream(256);
    number(head, MAGIC, 4);
    number(head, status, 2);
    number(head, headers.size(), 2);
    for (Header header : headers) {
      text(head, header.name(), 2);
      text(head, header.value(), 4);
    }
    byte[] all = new byte[Math.addExact(head.size(), body.length())];
    System.arraycopy(head.toByteArray(), 0, all, 0, head.size());
    body.copyTo(all, head.size());
    return Bytes.of(all);
  }

  private static void text(ByteArrayOutputStream out, String text, int sizeBytes) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    if (sizeBytes == 2 && utf8.length > 0xffff) {
      throw new IllegalArgumentException(
          "the name of a header has at most 65535 bytes, got " + utf8.length);
    }
    number(out, utf8.length, sizeBytes);
    out.writeBytes(utf8);
  }

  private static void number(ByteArrayOutputStream out, int value, int sizeBytes) {
    for (int shift = (sizeBytes - 1) * 8; shift >= 0; shift -= 8) {
      out.write(value >>> shift);
    }
  }

  private static @Nullable StoredResponse decode(Bytes bytes) {
    ByteBuffer in = bytes.asBuffer();
    try {
      if (in.getInt() != MAGIC) {
        return null;
      }
      int status = in.getShort() & 0xffff;
      int count = in.getShort() & 0xffff;
      List<Header> headers = new ArrayList<>(Math.min(count, 64));
      for (int i = 0; i < count; i++) {
        String name = text(in, in.getShort() & 0xffff);
        headers.add(new Header(name, text(in, in.getInt())));
      }
      return new StoredResponse(status, headers, bytes.slice(in.position(), in.remaining()));
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      // Somebody else's bytes, such as an operator's note: it happened, but this is no response.
      return null;
    }
  }

  private static String text(ByteBuffer in, int length) {
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] utf8 = new byte[length];
    in.get(utf8);
    return new String(utf8, StandardCharsets.UTF_8);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StoredResponse that
        && status == that.status
        && headers.equals(that.headers)
        && body.equals(that.body);
  }

  @Override
  public int hashCode() {
    return Objects.hash(status, headers, body);
  }

  @Override
  public String toString() {
    return status + " " + headers + " " + body;
  }
}
