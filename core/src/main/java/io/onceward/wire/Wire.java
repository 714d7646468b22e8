package io.onceward.wire;

/** What both ends of a connection must agree on before the first message. */
public final class Wire {
  /** The gRPC service, as {@code onceward.proto} names it. */
  public static final String SERVICE = "onceward.v1.Onceward";

  /** Its one method, a stream of {@link Questions} against a stream of {@link Answers}. */
  public static final String METHOD = "Converse";

  /**
   * The longest message. The largest frame takes half of it, so that whoever fills a message has no
   * need to count exactly: send it once it is past what one likes to send.
   */
  public static final int MAX_MESSAGE_BYTES = 32 << 20;

  private Wire() {}
}
