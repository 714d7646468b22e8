package io.onceward.http;

import io.onceward.Key;
import io.onceward.guard.GuardedId;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where the key of a request is: in the header {@code Idempotency-Key}, or where callers put it who
 * do not know of that, such as payment providers that call back. Immutable.
 */
public final class KeySource {
  static final KeySource IDEMPOTENCY_KEY = header(KeyHeader.NAME);

  /** What a request is named by, and how people are shown it. */
  record Found(Key key, String shown) {}

  private enum Place {
    HEADER,
    JSON,
    BODY
  }

  private final Place place;
  private final String name;
  private final @Nullable JsonPath path;

  private KeySource(Place place, String name, @Nullable JsonPath path) {
    this.place = place;
    this.name = name;
    this.path = path;
  }

  /**
   * A header such as {@code Webhook-Id}, whose value is one word, or a string in quotes, of at most
   * 255 characters.
   */
  public static KeySource header(String name) {
    return new KeySource(Place.HEADER, Objects.requireNonNull(name, "name"), null);
  }

  /**
   * A string or whole number in a JSON body, at a path such as {@code id}, {@code data.object.id}
   * or {@code $.events[0].id}. A body without it, or that is something else than JSON, has no key.
   * A body that may have one, but cannot be searched for it, is refused: an object or array that is
   * no whole JSON text, nested over 64 levels, with an exponent of over 15 digits, or that is
   * neither in UTF-8 nor in UTF-16 or UTF-32.
   *
   * @throws IllegalArgumentException if that is no path
   */
  public static KeySource json(String path) {
    return new KeySource(Place.JSON, path, JsonPath.parse(path));
  }

  /**
   * What the request says is its name: method, path, query, media type and body, as its route
   * compares it. Two requests that say the same are one. An empty body is no name.
   */
  public static KeySource bodyHash() {
    return new KeySource(Place.BODY, "", null);
  }

  /** The header to look at before the body is read, or null if the key is in the body. */
  @Nullable String header() {
    return place == Place.HEADER ? name : null;
  }

  /** The key in a header of this value. */
  Found inHeader(String value) throws MalformedKeyException {
    return spelled(KeyHeader.text(value));
  }

  /**
   * The key in a body, or null if there is none.
   *
   * @param type what the body is said to be
   * @param line what the request says beside its body
   * @param compared the body as it is compared
   */
  @Nullable Found inBody(RequestBody body, MediaType type, String line, byte[] compared)
      throws MalformedKeyException {
    if (body.isEmpty()) {
      return null;
    }
    if (place == Place.BODY) {
      Key key = Key.contentHash(line.getBytes(StandardCharsets.UTF_8), compared);
      return new Found(key, key.toString());
    }
    String text = JsonText.find(body.bytes(), type, Objects.requireNonNull(path));
    return text == null ? null : spelled(text);
  }

  private static Found spelled(String text) throws MalformedKeyException {
    try {
      return new Found(GuardedId.keyOf(text), text);
    } catch (IllegalArgumentException e) {
      throw new MalformedKeyException(String.valueOf(e.getMessage()));
    }
  }

  /** For who is told that it is missing. */
  String described() {
    return switch (place) {
      case HEADER -> "the header " + name + " with a key of its own";
      case JSON -> "a JSON body with a key of its own at " + name;
      case BODY -> "a body, which is its key";
    };
  }
}
