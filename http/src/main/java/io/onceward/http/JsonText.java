package io.onceward.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON (RFC 8259) as far as it takes to compare two texts, or to find one value. In the
 * canonical form members are in the order of their names, numbers have one spelling, and nothing is
 * left out: a member that is null is there, and one that stands twice stands there twice.
 */
final class JsonText {
  private static final int MAX_DEPTH = 64;
  private static final int MAX_EXPONENT_DIGITS = 15;

  /** Not JSON, or over a limit. The message says which. */
  private static final class NotJsonException extends Exception {
    private static final long serialVersionUID = 1L;

    NotJsonException() {
      this("it is no JSON");
    }

    NotJsonException(String why) {
      super(why, null, false, false);
    }
  }

  private record Member(String name, int from, int to) {}

  private final String text;
  private final StringBuilder out = new StringBuilder();
  private int at;

  private JsonText(String text) {
    this.text = text;
  }

  /** The canonical form, or null if the bytes are no JSON. */
  static byte @Nullable [] canonical(byte[] bytes) {
    try {
      JsonText json = new JsonText(decoded(bytes));
      json.whole(null);
      return json.out.toString().getBytes(StandardCharsets.UTF_8);
    } catch (NotJsonException | MalformedKeyException e) {
      return null;
    }
  }

  /**
   * The string or whole number at this place; null if there is none, if it is null, or if the bytes
   * are nothing that has a value at any place: empty, a JSON text that is no object or array, or
   * something else than JSON.
   *
   * @param type what the bytes are said to be
   * @throws MalformedKeyException if something else is there; if two members have the same name on
   *     the way, since others may read the other one; or if the bytes cannot be read here, but
   *     others may read a key in them
   */
  static @Nullable String find(byte[] bytes, MediaType type, JsonPath path)
      throws MalformedKeyException {
    try {
      return new JsonText(decoded(bytes)).whole(path);
    } catch (NotJsonException e) {
      if (mayHaveMembers(bytes, type)) {
        throw new MalformedKeyException(
            "the body cannot be searched for one at " + path + ": " + e.getMessage());
      }
      return null;
    }
  }

  /**
   * Whether another parser, which is more lenient or has other limits, may find members in what is
   * no JSON here. What was read of it does not tell: the whole may be in another encoding.
   */
  private static boolean mayHaveMembers(byte[] bytes, MediaType type) {
    JsonEncoding encoding = JsonEncoding.of(bytes);
    String text = encoding.decode(bytes);
    if (text == null) {
      if (type.mayBeJson()) {
        return true;
      }
      text = encoding.decodeLeniently(bytes);
    }
    int at = 0;
    while (at < text.length() && text.charAt(at) <= ' ') {
      at++;
    }
    return at < text.length() && (text.charAt(at) == '{' || text.charAt(at) == '[');
  }

  private static String decoded(byte[] bytes) throws NotJsonException {
    JsonEncoding encoding = JsonEncoding.of(bytes);
    String text = encoding.decode(bytes);
    if (text == null) {
      throw new NotJsonException("it is no text in " + encoding.charset());
    }
    return text;
  }

  private @Nullable String whole(@Nullable JsonPath path)
      throws NotJsonException, MalformedKeyException {
    String found = value(path, 0, 0);
    blanks();
    if (at < text.length()) {
      throw new NotJsonException();
    }
    return found;
  }

  /**
   * Reads a value and writes its canonical form.
   *
   * @param path what is looked for below this value; null for nothing
   * @param step of the path that leads on from here
   * @return what was found
   */
  private @Nullable String value(@Nullable JsonPath path, int step, int depth)
      throws NotJsonException, MalformedKeyException {
    if (depth > MAX_DEPTH) {
      throw new NotJsonException("it is nested over " + MAX_DEPTH + " levels");
    }
    blanks();
    int from = at;
    boolean here = path != null && step == path.steps().size();
    switch (peek()) {
      case '{' -> {
        return object(path, step, depth, here);
      }
      case '[' -> {
        return array(path, step, depth, here);
      }
      case '"' -> {
        String string = string();
        out.append(Json.string(string));
        return here ? string : null;
      }
      case 't' -> word("true");
      case 'f' -> word("false");
      case 'n' -> {
        word("null");
        return null;
      }
      default -> {
        boolean isWhole = number();
        if (here && !isWhole) {
          throw notAnId(path);
        }
        return here ? text.substring(from, at) : null;
      }
    }
    if (here) {
      throw notAnId(path);
    }
    return null;
  }

  private static MalformedKeyException notAnId(@Nullable JsonPath path) {
    return new MalformedKeyException(
        "the body has at " + path + " neither a string nor a whole number");
  }

  private @Nullable String object(@Nullable JsonPath path, int step, int depth, boolean here)
      throws NotJsonException, MalformedKeyException {
    List<Member> members = new ArrayList<>();
    String wanted = path == null || here ? null : path.steps().get(step).name();
    String found = null;
    boolean seen = false;
    int begin = out.append('{').length();
    at++;
    for (boolean more = !closes('}'); more; more = goesOn('}')) {
      blanks();
      String name = string();
      if (!members.isEmpty()) {
        out.append(',');
      }
      int from = out.length();
      out.append(Json.string(name)).append(':');
      blanks();
      expect(':');
      if (path != null && name.equals(wanted)) {
        if (seen) {
          throw new MalformedKeyException("the body has two members " + Json.string(name));
        }
        seen = true;
        found = value(path, step + 1, depth + 1);
      } else {
        value(null, 0, depth + 1);
      }
      members.add(new Member(name, from, out.length()));
    }
    sort(begin, members);
    out.append('}');
    if (path != null && here) {
      throw notAnId(path);
    }
    return found;
  }

  /** Writes the members again in the order of their names, those of one name as they stood. */
  private void sort(int begin, List<Member> members) {
    List<Member> sorted = new ArrayList<>(members);
    sorted.sort(Comparator.comparing(Member::name));
    if (sorted.equals(members)) {
      return;
    }
    StringBuilder again = new StringBuilder(out.length() - begin);
    for (Member member : sorted) {
      again.append(again.isEmpty() ? "" : ",").append(out, member.from(), member.to());
    }
    out.setLength(begin);
    out.append(again);
  }

  private @Nullable String array(@Nullable JsonPath path, int step, int depth, boolean here)
      throws NotJsonException, MalformedKeyException {
    int wanted = path == null || here ? -1 : path.steps().get(step).index();
    String found = null;
    out.append('[');
    at++;
    int index = 0;
    for (boolean more = !closes(']'); more; more = goesOn(']')) {
      if (index > 0) {
        out.append(',');
      }
      if (path != null && index == wanted) {
        found = value(path, step + 1, depth + 1);
      } else {
        value(null, 0, depth + 1);
      }
      index++;
    }
    out.append(']');
    if (path != null && here) {
      throw notAnId(path);
    }
    return found;
  }

  private boolean closes(char end) throws NotJsonException {
    blanks();
    if (peek() != end) {
      return false;
    }
    at++;
    return true;
  }

  private boolean goesOn(char end) throws NotJsonException {
    if (closes(end)) {
      return false;
    }
    expect(',');
    return true;
  }

  private void expect(char c) throws NotJsonException {
    if (peek() != c) {
      throw new NotJsonException();
    }
    at++;
  }

  private void word(String word) throws NotJsonException {
    if (!text.startsWith(word, at)) {
      throw new NotJsonException();
    }
    at += word.length();
    out.append(word);
  }

  private String string() throws NotJsonException {
    expect('"');
    StringBuilder string = new StringBuilder();
    for (char c = next(); c != '"'; c = next()) {
      if (c < ' ') {
        throw new NotJsonException();
      }
      string.append(c == '\\' ? escaped() : c);
    }
    return string.toString();
  }

  private char escaped() throws NotJsonException {
    char c = next();
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        int code = 0;
        for (int i = 0; i < 4; i++) {
          char digit = next();
          int value = digit < 0x80 ? Character.digit(digit, 16) : -1;
          if (value < 0) {
            throw new NotJsonException();
          }
          code = code << 4 | value;
        }
        yield (char) code;
      }
      default -> throw new NotJsonException();
    };
  }

  /**
   * Reads a number. Its canonical form has no zeros at either end and an exponent.
   *
   * @return whether it is spelled as a whole number
   */
  private boolean number() throws NotJsonException {
    boolean negative = peek() == '-';
    if (negative) {
      at++;
    }
    int from = at;
    digits();
    if (at - from > 1 && text.charAt(from) == '0') {
      throw new NotJsonException();
    }
    StringBuilder digits = new StringBuilder().append(text, from, at);
    long exponent = 0;
    boolean isWhole = true;
    if (at < text.length() && text.charAt(at) == '.') {
      int point = ++at;
      digits();
      digits.append(text, point, at);
      exponent = (long) point - at;
      isWhole = false;
    }
    if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
      at++;
      exponent += exponent();
      isWhole = false;
    }
    append(negative, digits, exponent);
    return isWhole;
  }

  private void append(boolean negative, StringBuilder digits, long exponent) {
    int end = digits.length();
    while (end > 0 && digits.charAt(end - 1) == '0') {
      end--;
    }
    int begin = 0;
    while (begin < end && digits.charAt(begin) == '0') {
      begin++;
    }
    if (begin == end) {
      out.append('0');
      return;
    }
    if (negative) {
      out.append('-');
    }
    out.append(digits, begin, end).append('e').append(exponent + digits.length() - end);
  }

  private long exponent() throws NotJsonException {
    boolean negative = peek() == '-';
    if (negative || peek() == '+') {
      at++;
    }
    int from = at;
    digits();
    while (from < at - 1 && text.charAt(from) == '0') {
      from++;
    }
    if (at - from > MAX_EXPONENT_DIGITS) {
      throw new NotJsonException("an exponent has over " + MAX_EXPONENT_DIGITS + " digits");
    }
    long exponent = Long.parseLong(text, from, at, 10);
    return negative ? -exponent : exponent;
  }

  private void digits() throws NotJsonException {
    int from = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    if (at == from) {
      throw new NotJsonException();
    }
  }

  private void blanks() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private char peek() throws NotJsonException {
    if (at == text.length()) {
      throw new NotJsonException();
    }
    return text.charAt(at);
  }

  private char next() throws NotJsonException {
    char c = peek();
    at++;
    return c;
  }
}
