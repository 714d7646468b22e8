package io.onceward.replica;

/**
 * The limits that are part of the layouts (L1). They are fixed, not parameters: whether bytes are
 * well-formed must not depend on anything but the bytes. What a cluster may tune is in {@link
 * Parameter} and is always tighter than these.
 */
public final class Limits {
  /** The name of a durable or auto client, in UTF-8. */
  public static final int NAME_BYTES = 128;

  /** The name of a principal, in UTF-8. */
  public static final int PRINCIPAL_BYTES = 128;

  /** The name of a scope, in UTF-8. */
  public static final int SCOPE_BYTES = 128;

  /** The name of a limit that a service says stands in the way; a longer one is cut. */
  static final int LIMIT_NAME_CHARACTERS = 128;

  /** The name of a service, in UTF-8. */
  public static final int SERVICE_NAME_BYTES = 64;

  /** Keys that one request may acknowledge. */
  public static final int ACKNOWLEDGED_KEYS = 1024;

  /** The widest window of a session. */
  public static final int WINDOW = 1 << 16;

  /** Requests that are quarantined at once, and those of the past that a replica remembers (E8). */
  public static final int QUARANTINED = 256;

  /** A framed request: a command of 16 MiB, and room for everything that can stand around it. */
  public static final int FRAME_BYTES = (16 << 20) + (64 << 10);

  /** Requests in one log entry; their ordinals are the low 16 bits of an incarnation. */
  public static final int PROPOSALS = 1 << 16;

  /** A whole log entry. */
  public static final int ENTRY_BYTES = 64 << 20;

  /** The content of one block of a snapshot; all blocks but the last one have this size. */
  static final int BLOCK_BYTES = 64 << 10;

  /** A piece of a section of a snapshot; all pieces but the last one have this size. */
  static final int PIECE_BYTES = 32 << 10;

  private Limits() {}
}
