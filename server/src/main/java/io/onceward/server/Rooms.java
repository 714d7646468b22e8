package io.onceward.server;

import io.onceward.Bytes;
import io.onceward.Decision.Refused;
import io.onceward.Refusal;
import io.onceward.replica.Request;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How much the tables can still take from each principal, as apply last said, and how many replies
 * are on their way into them. A request whose reply might find no room is refused before it is
 * logged, and so is a setting or another name that would stay (K6).
 *
 * <p>Openings and abandons take room too, and hardly ever find none; asking the tables about each
 * would make all wait for what is being applied. So the first that is refused is refused by the
 * log, and from then on its principal's are asked about, until there is room again.
 */
final class Rooms {
  private final Door.Surroundings surroundings;
  private final Map<String, Door.Room> rooms = new HashMap<>();
  private final Set<String> refusedByTheLog = new HashSet<>();
  private int reserved;

  Rooms(Door.Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** A request was admitted whose reply will be remembered. */
  void reserve() {
    reserved++;
  }

  /** It was decided, or is not decided here. */
  void release() {
    reserved--;
  }

  void refresh(String principal, Door.Room room) {
    rooms.put(principal, room);
  }

  /** The log found no room for a request of this principal. */
  void refused(String principal) {
    refusedByTheLog.add(principal);
  }

  void clear() {
    rooms.clear();
    refusedByTheLog.clear();
  }

  /** Why the tables cannot take this request, or null. */
  @Nullable Refused obstacle(String principal, Request request) {
    if (request instanceof Request.Alias || request instanceof Request.SetScope) {
      String limit = surroundings.obstacleToAdding(principal, request);
      return limit.isEmpty() ? null : new Refused(Refusal.OVERLOADED, limit);
    }
    if (opensOrCloses(request)) {
      return obstacleToOpening(principal, request);
    }
    Bytes command = commandOf(request);
    if (command == null) {
      return null;
    }
    Door.Room last = rooms.get(principal);
    if (last != null && obstacle(last, request, command) == null) {
      return null;
    }
    // What was said with this principal's last entry may be long ago, and nothing of it is logged
    // while everything is refused; and what is remembered needs no room (E1).
    Door.Room now = surroundings.room(principal);
    rooms.put(principal, now);
    Refused refused = obstacle(now, request, command);
    if (refused == null) {
      return null;
    }
    boolean isNew =
        request instanceof Request.Unkeyed || !surroundings.remembers(principal, request);
    return isNew ? refused : null;
  }

  private static boolean opensOrCloses(Request request) {
    return request instanceof Request.Open
        || request instanceof Request.AbandonSequence
        || request instanceof Request.AbandonKey;
  }

  private @Nullable Refused obstacleToOpening(String principal, Request request) {
    if (!refusedByTheLog.contains(principal)) {
      return null;
    }
    String limit = surroundings.obstacleToAdding(principal, request);
    if (limit.isEmpty()) {
      refusedByTheLog.remove(principal);
      return null;
    }
    return new Refused(Refusal.OVERLOADED, limit);
  }

  private @Nullable Refused obstacle(Door.Room room, Request request, Bytes command) {
    if (command.length() > room.maxCommandBytes()) {
      return new Refused(Refusal.TOO_LARGE, "command");
    }
    if (request instanceof Request.Unkeyed) {
      return null;
    }
    long needed = (reserved + 1L) * room.maxReplyBytes();
    return needed <= room.bytesLeft() ? null : new Refused(Refusal.OVERLOADED, "table bytes");
  }

  private static @Nullable Bytes commandOf(Request request) {
    if (request instanceof Request.InSession r) {
      return r.command();
    } else if (request instanceof Request.Keyed r) {
      return r.command();
    } else if (request instanceof Request.Unkeyed r) {
      return r.command();
    }
    return null;
  }
}
