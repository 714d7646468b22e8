package io.onceward;

import java.util.HexFormat;

/**
 * A digest of what a request asks, to catch an id that is used again for something else (rule E7).
 * Only fingerprints under the same id are ever compared, so 64 bits are plenty against mistakes,
 * which is what they are for; a caller who forges one harms only requests of his own.
 *
 * @param bits any value is a fingerprint, zero too
 */
public record Fingerprint(long bits) {
  private static final int DIGITS = 16;

  /**
   * The first 64 bits of SHA-256 over operation and payload, each preceded by its length so that
   * the border between them counts.
   *
   * @throws IllegalArgumentException if the operation has a lone surrogate
   */
  public static Fingerprint of(String operation, byte[] payload) {
    byte[] name = IdText.utf8("the name of an operation", operation);
    return new Fingerprint(Sha256.ofParts(name, payload).first());
  }

  /**
   * Reads what {@link #toString} printed.
   *
   * @throws IllegalArgumentException if it is not 16 hexadecimal digits
   */
  public static Fingerprint parse(String printed) {
    if (printed.length() != DIGITS) {
      throw new IllegalArgumentException(
          "a fingerprint is "
              + DIGITS
              + " hexadecimal digits, got "
              + printed.length()
              + " characters in "
              + IdText.excerpt(printed));
    }
    return new Fingerprint(IdText.hex("a fingerprint", printed, 0, DIGITS));
  }

  @Override
  public String toString() {
    return HexFormat.of().toHexDigits(bits);
  }
}
