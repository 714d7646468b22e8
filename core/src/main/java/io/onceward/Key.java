package io.onceward;

import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The id of a request that belongs to no session: 128 bits and the kind of id they came from (rule
 * K1). All retries of a request carry the same key, every other request of that principal and scope
 * a different one.
 *
 * <p>The kind is part of the identity, so that a text chosen by one caller can never meet the hash
 * or the UUID of another. Two keys are equal if kind and bits are; the text of a text key is not
 * compared, because its digest stands for it and the digest is all that travels and is stored.
 *
 * <p>Some keys are dated: {@link Kind#DATED} ones, and UUIDs of version 7. Once the record of a
 * dated key was dropped, the date still tells that it is too old to be new (K5). A key without a
 * date loses that protection: after its retention it would execute again.
 *
 * <p>{@link #toString} and {@link #parse} are inverse to each other:
 *
 * <pre>
 * 8c5e2b0a-3f0e-4a53-9d6c-0f1c2b3a4d5e               UUID
 * d:2026-11-15T08:20:11.123456Z-0123456789abcdef     dated
 * h:ba7816bf8f01cfea414140de5dae2223                 content hash
 * s:order 4711                                       text
 * s#ba7816bf8f01cfea414140de5dae2223                 text that only its digest is known of
 * </pre>
 */
public final class Key implements Comparable<Key> {
  /** 9999-12-31T23:59:59.999999Z: the last moment whose year prints in four digits. */
  static final long LAST_DATE_MICROS = 253_402_300_799_999_999L;

  /** Where the bits of a key came from. The codes are on the wire and in snapshots for ever. */
  public enum Kind {
    UUID(0),
    DATED(1),
    HASH(2),
    TEXT(3);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    public int code() {
      return code;
    }

    /**
     * The kind that is written as this code.
     *
     * @throws IllegalArgumentException if no kind is
     */
    public static Kind ofCode(int code) {
      return switch (code) {
        case 0 -> UUID;
        case 1 -> DATED;
        case 2 -> HASH;
        case 3 -> TEXT;
        default ->
            throw new IllegalArgumentException(
                "no kind of key has the code "
                    + code
                    + "; allowed are 0 (UUID), 1 (DATED), 2 (HASH) and 3 (TEXT)");
      };
    }
  }

  private final Kind kind;
  private final long high;
  private final long low;
  private final @Nullable String text;

  private Key(Kind kind, long high, long low, @Nullable String text) {
    this.kind = kind;
    this.high = high;
    this.low = low;
    this.text = text;
  }

  /** Any UUID will do; one of version 7 makes a dated key. */
  public static Key uuid(UUID uuid) {
    return of(Kind.UUID, uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
  }

  /**
   * A dated key from its two halves; {@link DatedIds} makes new ones.
   *
   * @param dateMicros microseconds since the epoch, from 0 to the end of the year 9999
   * @throws IllegalArgumentException if the date is outside of that
   */
  public static Key dated(long dateMicros, long random) {
    return of(Kind.DATED, dateMicros, random);
  }

  /**
   * The key of a request that is named by what it contains: SHA-256 over the parts, cut to 128
   * bits. Each part is preceded by its length, so that moving a byte from one part to the next
   * makes another key.
   *
   * @throws IllegalArgumentException if there are no parts: all requests would share that key
   */
  public static Key contentHash(byte[]... parts) {
    if (parts.length == 0) {
      throw new IllegalArgumentException("a content hash needs at least one part, got none");
    }
    Sha256 digest = Sha256.ofParts(parts);
    return new Key(Kind.HASH, digest.first(), digest.second(), null);
  }

  /**
   * A key that a caller spells as text. Its bits are the SHA-256 of the UTF-8, cut to 128 bits; the
   * text itself is kept for printing only. Who searched for two texts with the same bits would find
   * only requests of his own that hide each other, since keys are told apart by principal first.
   *
   * @param text 1 to 128 bytes in UTF-8, without lone surrogates
   * @throws IllegalArgumentException if the text is none of that
   */
  public static Key text(String text) {
    Sha256 digest = Sha256.of(IdText.utf8("a text key", text, 1));
    return new Key(Kind.TEXT, digest.first(), digest.second(), text);
  }

  /**
   * A key as read from bytes. A text key made this way does not know its text.
   *
   * @throws IllegalArgumentException if the kind is dated and the date outside of what {@link
   *     #dated} allows
   */
  public static Key of(Kind kind, long high, long low) {
    Objects.requireNonNull(kind, "kind");
    if (kind == Kind.DATED && (high < 0 || high > LAST_DATE_MICROS)) {
      throw new IllegalArgumentException(
          "the date of a key must be from 0 to "
              + LAST_DATE_MICROS
              + " microseconds since the epoch (1970-01-01 to 9999-12-31), got "
              + high);
    }
    return new Key(kind, high, low, null);
  }

  /**
   * Reads what {@link #toString} printed. A string that has none of the reserved beginnings {@code
   * d:}, {@code h:}, {@code s:} and {@code s#} and not the shape of a UUID is taken as a text key.
   *
   * @throws IllegalArgumentException if it is no id; the message says why and what is allowed
   */
  public static Key parse(String printed) {
    return PrintedKey.parse(printed);
  }

  public Kind kind() {
    return kind;
  }

  public long high() {
    return high;
  }

  public long low() {
    return low;
  }

  /** The text of a text key, where it is known. */
  @Nullable String text() {
    return text;
  }

  public boolean isDated() {
    return switch (kind) {
      case DATED -> true;
      case UUID -> (high >>> 12 & 0xf) == 7 && low >>> 62 == 2;
      case HASH, TEXT -> false;
    };
  }

  /**
   * When the key was made, by its maker's clock, in microseconds since the epoch. A UUID of version
   * 7 knows only milliseconds.
   *
   * @throws IllegalStateException if the key is not dated
   */
  public long dateMicros() {
    if (!isDated()) {
      throw new IllegalStateException("a key without a date was asked for it: " + this);
    }
    return kind == Kind.DATED ? high : (high >>> 16) * 1000;
  }

  /** By the code of the kind, then by the bits as an unsigned number: dated keys sort by date. */
  @Override
  public int compareTo(Key other) {
    int order = Integer.compare(kind.code, other.kind.code);
    if (order == 0) {
      order = Long.compareUnsigned(high, other.high);
    }
    return order != 0 ? order : Long.compareUnsigned(low, other.low);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Key key && kind == key.kind && high == key.high && low == key.low;
  }

  @Override
  public int hashCode() {
    return (Long.hashCode(high) * 31 + Long.hashCode(low)) * 31 + kind.code;
  }

  @Override
  public String toString() {
    return PrintedKey.print(this);
  }
}
