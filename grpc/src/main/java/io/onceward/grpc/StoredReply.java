package io.onceward.grpc;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.onceward.Bytes;
import io.onceward.Reply;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The reply to a unary call as it is remembered: status, chosen trailers, message. A probe or an
 * operator who found out that a call happened (G3) makes one with {@link #ok} or {@link #error} and
 * hands its {@link #toReply} to the guard.
 *
 * <p>The bytes: {@code OWG1}, status code (2 bytes), the length of the description (4; -1 for none)
 * and the description, number of trailers (2), for each the length of its name (2) and the name,
 * the length of its value (4) and the value; then 1 and the message, or 0. Texts are UTF-8, numbers
 * big-endian.
 */
public final class StoredReply {
  private static final int MAGIC = 0x4f574731; // OWG1

  private record Trailer(String name, byte[] value) {}

  private final Status status;
  private final List<Trailer> trailers;
  private final @Nullable Bytes message;

  private StoredReply(Status status, List<Trailer> trailers, @Nullable Bytes message) {
    this.status = status;
    this.trailers = trailers;
    this.message = message;
  }

  /** A call that succeeded with this message, as the service's marshaller writes it. */
  public static StoredReply ok(Bytes message) {
    return new StoredReply(Status.OK, List.of(), message);
  }

  /** A call that was refused for a reason of its domain. */
  public static StoredReply error(Status status) {
    if (status.isOk()) {
      throw new IllegalArgumentException("an error has another status than OK");
    }
    return new StoredReply(status, List.of(), null);
  }

  static StoredReply of(
      Status status, Metadata trailers, Set<String> kept, @Nullable Bytes message) {
    List<Trailer> stored = new ArrayList<>();
    for (String name : kept) {
      if (name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
        Iterable<byte[]> values = trailers.getAll(binary(name));
        if (values != null) {
          values.forEach(value -> stored.add(new Trailer(name, value)));
        }
      } else {
        Iterable<String> values = trailers.getAll(ascii(name));
        if (values != null) {
          values.forEach(
              value -> stored.add(new Trailer(name, value.getBytes(StandardCharsets.UTF_8))));
        }
      }
    }
    return new StoredReply(status, stored, message);
  }

  /** Without the cause, which is not remembered. */
  public Status status() {
    return status;
  }

  /** The message, or null if the status is an error. */
  public @Nullable Bytes message() {
    return message;
  }

  /**
   * The message of a method, or null if the status is an error.
   *
   * @throws RuntimeException if it is none of this method
   */
  <R> @Nullable R messageOf(MethodDescriptor<?, R> method) {
    return message == null
        ? null
        : method.parseResponse(new ByteArrayInputStream(message.toArray()));
  }

  Metadata trailers() {
    Metadata metadata = new Metadata();
    for (Trailer trailer : trailers) {
      if (trailer.name().endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
        metadata.put(binary(trailer.name()), trailer.value());
      } else {
        metadata.put(ascii(trailer.name()), new String(trailer.value(), StandardCharsets.UTF_8));
      }
    }
    return metadata;
  }

  /** What a guard remembers: every status but OK counts as a business error. */
  public Reply toReply() {
    return status.isOk() ? Reply.ok(encode()) : Reply.businessError(encode());
  }

  /** The stored reply in a reply, or null if it holds none, such as one that was too large. */
  public static @Nullable StoredReply in(Reply reply) {
    return switch (reply.kind()) {
      case OK, BUSINESS_ERROR -> decode(reply.bytes());
      case FAILED, REPLY_TOO_LARGE -> null;
    };
  }

  private Bytes encode() {
    ByteArrayOutputStream out = new ByteArrayOutputStream(64);
    number(out, MAGIC, 4);
    number(out, status.getCode().value(), 2);
    String description = status.getDescription();
    if (description == null) {
      number(out, -1, 4);
    } else {
      sized(out, description.getBytes(StandardCharsets.UTF_8), 4);
    }
    number(out, trailers.size(), 2);
    for (Trailer trailer : trailers) {
      sized(out, trailer.name().getBytes(StandardCharsets.UTF_8), 2);
      sized(out, trailer.value(), 4);
    }
    number(out, message == null ? 0 : 1, 1);
    if (message != null) {
      out.writeBytes(message.toArray());
    }
    return Bytes.of(out.toByteArray());
  }

  private static void sized(ByteArrayOutputStream out, byte[] bytes, int sizeBytes) {
    number(out, bytes.length, sizeBytes);
    out.writeBytes(bytes);
  }

  private static void number(ByteArrayOutputStream out, int value, int sizeBytes) {
    for (int shift = (sizeBytes - 1) * 8; shift >= 0; shift -= 8) {
      out.write(value >>> shift);
    }
  }

  private static @Nullable StoredReply decode(Bytes bytes) {
    ByteBuffer in = bytes.asBuffer();
    try {
      if (in.getInt() != MAGIC) {
        return null;
      }
      Status status = Status.fromCodeValue(in.getShort());
      int description = in.getInt();
      if (description >= 0) {
        status = status.withDescription(new String(read(in, description), StandardCharsets.UTF_8));
      }
      int count = in.getShort() & 0xffff;
      List<Trailer> trailers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        String name = new String(read(in, in.getShort() & 0xffff), StandardCharsets.UTF_8);
        trailers.add(new Trailer(checked(name), read(in, in.getInt())));
      }
      Bytes message = in.get() == 1 ? bytes.slice(in.position(), in.remaining()) : null;
      return status.isOk() == (message != null) ? new StoredReply(status, trailers, message) : null;
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      // Somebody else's bytes, such as an operator's note: it happened, but this is no reply.
      return null;
    }
  }

  /**
   * The name, if gRPC takes it for one: it would refuse it only when the reply is sent.
   *
   * @throws IllegalArgumentException if it does not
   */
  static String checked(String name) {
    boolean binary = name.endsWith(Metadata.BINARY_HEADER_SUFFIX);
    return (binary ? binary(name) : ascii(name)).originalName();
  }

  private static byte[] read(ByteBuffer in, int length) {
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static Metadata.Key<String> ascii(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  private static Metadata.Key<byte[]> binary(String name) {
    return Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER);
  }
}
