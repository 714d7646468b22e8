package io.onceward.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Which Unicode encoding a JSON text has: by its byte order mark, or by the zero bytes around its
 * first character, which is always ASCII. Parsers such as Jackson find it out in the same way; a
 * key that they can read must not be missed here.
 */
record JsonEncoding(Charset charset, int markBytes) {
  private static final Charset UTF_32BE = Charset.forName("UTF-32BE");
  private static final Charset UTF_32LE = Charset.forName("UTF-32LE");

  static JsonEncoding of(byte[] text) {
    int first = at(text, 0);
    int second = at(text, 1);
    int third = at(text, 2);
    int fourth = at(text, 3);
    if (first == 0 && second == 0) {
      boolean marked = third == 0xfe && fourth == 0xff;
      return new JsonEncoding(UTF_32BE, marked ? 4 : 0);
    }
    if (first == 0xff && second == 0xfe) {
      return third == 0 && fourth == 0
          ? new JsonEncoding(UTF_32LE, 4)
          : new JsonEncoding(StandardCharsets.UTF_16LE, 2);
    }
    if (first == 0xfe && second == 0xff) {
      return new JsonEncoding(StandardCharsets.UTF_16BE, 2);
    }
    if (first == 0) {
      return new JsonEncoding(StandardCharsets.UTF_16BE, 0);
    }
    if (second == 0) {
      return third == 0 && fourth == 0
          ? new JsonEncoding(UTF_32LE, 0)
          : new JsonEncoding(StandardCharsets.UTF_16LE, 0);
    }
    boolean marked = first == 0xef && second == 0xbb && third == 0xbf;
    return new JsonEncoding(StandardCharsets.UTF_8, marked ? 3 : 0);
  }

  /** Past the end is no zero. */
  private static int at(byte[] text, int index) {
    return index < text.length ? text[index] & 0xff : -1;
  }

  /** The text without its mark, or null if these bytes are none. */
  @Nullable String decode(byte[] text) {
    try {
      return charset
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT)
          .decode(content(text))
          .toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /** The text as far as it is one. */
  String decodeLeniently(byte[] text) {
    return charset.decode(content(text)).toString();
  }

  private ByteBuffer content(byte[] text) {
    return ByteBuffer.wrap(text, markBytes, text.length - markBytes);
  }
}
