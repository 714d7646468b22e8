package io.onceward;

import io.onceward.replica.Request;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * The name of one logical request: the same for all its copies, different for all others. It is
 * what a caller keeps who did not hear a decision, and what {@code outcome} and {@code abandon} ask
 * for.
 *
 * <p>{@link #print()} and {@link #parse} are inverse to each other:
 *
 * <pre>
 * q:5f0e4a539d6c0f1c-30000-30001-42                  sequence 42 of a session
 * d:2026-11-15T08:20:11.123456Z-0123456789abcdef     a key without a scope, as {@link Key} prints it
 * in:tenant 7/s:order 4711                           a key in a scope
 * </pre>
 *
 * <p>A sequence is written with the tag of its cluster in 16 hexadecimal digits, the number of its
 * session and the incarnation that sent it in hexadecimal, and the sequence in decimal. In the name
 * of a scope {@code %}, {@code /} and control characters are written as {@code %} and two
 * hexadecimal digits for each byte of their UTF-8. The scope stands in front because a text key may
 * contain anything, so nothing that follows one can be told from it.
 */
public sealed interface RequestId {
  /** What the id of a sequence begins with. */
  String SEQUENCE = "q:";

  /** What the id of a key in a scope begins with. */
  String SCOPED = "in:";

  /**
   * A request of a session.
   *
   * @param address the session and the incarnation that sent the request
   * @param sequence 1 or more
   */
  record OfSequence(Request.Address address, long sequence) implements RequestId {
    public OfSequence {
      if (sequence < 1) {
        throw new IllegalArgumentException("sequences begin with 1, got " + sequence);
      }
    }

    @Override
    public String toString() {
      return print();
    }
  }

  /** A request under a key. */
  record OfKey(Scope scope, Key key) implements RequestId {
    @Override
    public String toString() {
      return print();
    }
  }

  /** The id as people see it. */
  default String print() {
    if (this instanceof OfSequence id) {
      Request.Address address = id.address();
      return SEQUENCE
          + HexFormat.of().toHexDigits(address.clusterTag())
          + '-'
          + Long.toHexString(address.session())
          + '-'
          + Long.toHexString(address.incarnation())
          + '-'
          + id.sequence();
    }
    OfKey id = (OfKey) this;
    String scope = id.scope().name();
    return scope.isEmpty() ? id.key().toString() : SCOPED + escaped(scope) + '/' + id.key();
  }

  /**
   * Reads what {@link #print} printed. What begins neither with {@code q:} nor with {@code in:} is
   * read as {@link Key#parse} does.
   *
   * @throws IllegalArgumentException if it is no id; the message says why and what is allowed
   */
  static RequestId parse(String printed) {
    if (printed.startsWith(SEQUENCE)) {
      return parseSequence(printed);
    }
    if (!printed.startsWith(SCOPED)) {
      return new OfKey(Scope.NONE, Key.parse(printed));
    }
    int end = printed.indexOf('/', SCOPED.length());
    if (end <= SCOPED.length()) {
      throw new IllegalArgumentException(
          "a key in a scope has the form in:scope/key, got " + IdText.excerpt(printed));
    }
    Scope scope = new Scope(unescaped(printed, SCOPED.length(), end));
    return new OfKey(scope, Key.parse(printed.substring(end + 1)));
  }

  private static OfSequence parseSequence(String printed) {
    String[] parts = printed.substring(SEQUENCE.length()).split("-", -1);
    boolean whole = parts.length == 4 && parts[0].length() == 16;
    for (int i = 1; whole && i < parts.length; i++) {
      whole = !parts[i].isEmpty() && parts[i].length() <= (i < 3 ? 16 : 19);
    }
    if (!whole) {
      throw new IllegalArgumentException(
          "the id of a sequence has the form q:5f0e4a539d6c0f1c-30000-30001-42"
              + " (cluster tag, session, incarnation, sequence), got "
              + IdText.excerpt(printed));
    }
    String what = "the id of a sequence";
    Request.Address address =
        new Request.Address(
            IdText.hex(what, parts[0], 0, parts[0].length()),
            IdText.hex(what, parts[1], 0, parts[1].length()),
            IdText.hex(what, parts[2], 0, parts[2].length()));
    return new OfSequence(address, decimal(parts[3]));
  }

  private static long decimal(String digits) {
    long number = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(i) - '0';
      if (digit < 0 || digit > 9 || number > (Long.MAX_VALUE - digit) / 10) {
        throw new IllegalArgumentException(
            "a sequence is a decimal number up to "
                + Long.MAX_VALUE
                + ", got "
                + IdText.excerpt(digits));
      }
      number = number * 10 + digit;
    }
    return number;
  }

  private static String escaped(String scope) {
    StringBuilder text = new StringBuilder(scope.length());
    for (int i = 0; i < scope.length(); i++) {
      char c = scope.charAt(i);
      if (c != '%' && c != '/' && !Character.isISOControl(c)) {
        text.append(c);
      } else {
        for (byte each : String.valueOf(c).getBytes(StandardCharsets.UTF_8)) {
          text.append('%').append(HexFormat.of().toHexDigits(each));
        }
      }
    }
    return text.toString();
  }

  private static String unescaped(String printed, int start, int end) {
    byte[] bytes = printed.substring(start, end).getBytes(StandardCharsets.UTF_8);
    byte[] plain = new byte[bytes.length];
    int length = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != '%') {
        plain[length++] = bytes[i];
      } else if (i + 2 < bytes.length) {
        String digits = new String(bytes, i + 1, 2, StandardCharsets.UTF_8);
        if (digits.length() != 2) {
          throw badEscape(printed);
        }
        plain[length++] = (byte) IdText.hex("the scope of an id", digits, 0, 2);
        i += 2;
      } else {
        throw badEscape(printed);
      }
    }
    String scope = new String(plain, 0, length, StandardCharsets.UTF_8);
    if (!escaped(scope).equalsIgnoreCase(printed.substring(start, end))) {
      throw badEscape(printed);
    }
    return scope;
  }

  private static IllegalArgumentException badEscape(String printed) {
    return new IllegalArgumentException(
        "in the scope of an id only %, / and control characters are written as % and two digits, got "
            + IdText.excerpt(printed));
  }
}
