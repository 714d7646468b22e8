package io.onceward.server;

import io.onceward.Bytes;
import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the door logs by itself: the acknowledgements and the watermark that ride on a copy which is
 * not logged. They make room in the tables, so a full table can shrink (K6).
 *
 * <p>Whatever is under way is not added a second time, and neither is what would drop no reply. So
 * a client that sends the same copy over and over adds to the log once, not once per copy: an
 * earlier door added it every time, and refused copies filled the room that they were refused for.
 *
 * <p>The door accounts each addition in bytes in flight and to the connection that caused it.
 */
final class Additions {
  /** What is remembered about one acknowledgement or watermark while it is under way. */
  static final int ITEM_BYTES = 128;

  /** No key takes more than this in a frame. */
  private static final int FRAMED_KEY_BYTES = 24;

  /** Nor does the rest of the frame, beside the name of the scope. */
  private static final int FRAME_BYTES = 64;

  /**
   * Identifies one acknowledgement, or the watermark of one session. Its hash is computed with the
   * node's secret, as in {@link Twin}.
   */
  private sealed interface Item {}

  private record OfKey(int hash, String principal, Scope scope, Key key) implements Item {
    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof OfKey that
          && key.equals(that.key)
          && scope.equals(that.scope)
          && principal.equals(that.principal);
    }
  }

  private record OfSession(int hash, String principal, Request.Address address) implements Item {
    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof OfSession that
          && address.equals(that.address)
          && principal.equals(that.principal);
    }
  }

  /** One request that the door logs by itself. */
  static final class Addition {
    final Bytes frame;
    private final List<Item> items;
    private final long watermark;

    private Addition(Request request, List<Item> items, long watermark) {
      this.frame = Bytes.of(RequestCodec.encode(request));
      this.items = items;
      this.watermark = watermark;
    }

    /** What it takes beside its frame, until it is settled. */
    long itemBytes() {
      return (long) items.size() * ITEM_BYTES;
    }
  }

  private final Door.Surroundings surroundings;
  private final SeededHash hash;

  /** Watermarks by session; acknowledgements have none. */
  private final Map<Item, Long> underWay = new HashMap<>();

  Additions(Door.Surroundings surroundings, SeededHash hash) {
    this.surroundings = surroundings;
    this.hash = hash;
  }

  /**
   * What a copy that is not logged carries and is worth logging, as far as there is room for it;
   * null if there is nothing. It is under way until {@link #settled}.
   *
   * @param bytesLeft what frame and items may take in all
   */
  @Nullable Addition carriedBy(String principal, Request request, long bytesLeft) {
    if (request instanceof Request.Keyed keyed) {
      return keyed.acknowledged().isEmpty() ? null : acknowledgement(principal, keyed, bytesLeft);
    }
    return request instanceof Request.InSession r ? watermark(principal, r, bytesLeft) : null;
  }

  private @Nullable Addition acknowledgement(
      String principal, Request.Keyed keyed, long bytesLeft) {
    Scope scope = keyed.scope();
    long forKeys = bytesLeft - FRAME_BYTES - (long) scope.name().length() * 3;
    long most = forKeys / (ITEM_BYTES + FRAMED_KEY_BYTES);
    if (most <= 0) {
      return null;
    }
    List<Key> fresh = new ArrayList<>();
    for (Key key : keyed.acknowledged()) {
      if (!underWay.containsKey(itemOf(principal, scope, key))) {
        fresh.add(key);
      }
    }
    if (fresh.isEmpty()) {
      return null;
    }
    List<Key> logged = new ArrayList<>();
    List<Item> items = new ArrayList<>();
    for (Key key : surroundings.withReply(principal, scope, fresh)) {
      if (items.size() == most) {
        break;
      }
      Item item = itemOf(principal, scope, key);
      // A hostile copy may name a key twice.
      if (underWay.putIfAbsent(item, 0L) == null) {
        logged.add(key);
        items.add(item);
      }
    }
    return logged.isEmpty() ? null : new Addition(new Request.Acknowledge(scope, logged), items, 0);
  }

  private Item itemOf(String principal, Scope scope, Key key) {
    int hashed =
        hash.add(key.high())
            .add(key.low())
            .add(key.kind().code())
            .add(scope.name())
            .add(principal.hashCode())
            .end();
    return new OfKey(hashed, principal, scope, key);
  }

  private @Nullable Addition watermark(
      String principal, Request.InSession request, long bytesLeft) {
    Request.Address address = request.address();
    long watermark = request.watermark();
    if (bytesLeft < FRAME_BYTES + ITEM_BYTES || watermark > request.sequence()) {
      return null;
    }
    int hashed =
        hash.add(address.session())
            .add(address.incarnation())
            .add(address.clusterTag())
            .add(principal.hashCode())
            .end();
    Item item = new OfSession(hashed, principal, address);
    Long highest = underWay.get(item);
    if (highest != null && highest >= watermark
        || !surroundings.movesWatermark(principal, address, watermark)) {
      return null;
    }
    underWay.put(item, watermark);
    return new Addition(new Request.KeepAlive(address, watermark), List.of(item), watermark);
  }

  /** It was applied, or lost, or never left. */
  void settled(Addition addition) {
    for (Item item : addition.items) {
      // A later watermark of the same session may be under way.
      underWay.remove(item, addition.watermark);
    }
  }
}
