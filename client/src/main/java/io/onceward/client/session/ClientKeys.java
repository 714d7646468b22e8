package io.onceward.client.session;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Decision.Refused;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.RequestId;
import io.onceward.Scope;
import io.onceward.client.session.KeyRequest.Kind;
import io.onceward.client.session.KeyRequest.State;
import io.onceward.replica.Limits;
import io.onceward.replica.Request;
import io.onceward.wire.Answer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a client that belong to no session: each is sent under the same key until it is
 * decided (C1).
 *
 * <p>Keys whose replies were taken ride on later requests of the same scope, and go alone when
 * nothing has been asked for a while (K2). They are acknowledged until the log is known to have
 * heard it. A key is never acknowledged while a request under it is undecided.
 *
 * <p>Time goes in with each event; {@link #tick} must be called at {@link #wakeMillis()} or soon
 * after.
 */
public final class ClientKeys {
  /** How many copies of an id from the future are sent before the caller is told (K5). */
  static final int MOST_REFUSALS_AS_FUTURE = 20;

  /** Acknowledgements wait this long for a request that takes them along. */
  static final long ACKNOWLEDGE_MILLIS = 1_000;

  private static final int CARRIED_KEYS = 64;
  private static final Key NO_KEY = Key.of(Key.Kind.UUID, 0, 0);

  private final Pace pace;
  private final KeyActions actions;
  private final int mostUnderWay;
  private final Map<RequestId.OfKey, Integer> asking = new LinkedHashMap<>();
  private final Map<Scope, Set<Key>> taken = new LinkedHashMap<>();

  private @Nullable KeyRequest first;
  private @Nullable KeyRequest last;
  private @Nullable KeyRequest firstWaiting;
  private int underWay;
  private long acknowledgeMillis = Long.MAX_VALUE;
  private boolean closing;
  private boolean closed;
  private long wakeMillis = Long.MAX_VALUE;

  /**
   * Nothing is asked yet.
   *
   * @param mostUnderWay how many requests may be under way at a time; others wait for their turn
   */
  public ClientKeys(Pace pace, KeyActions actions, int mostUnderWay) {
    if (mostUnderWay < 1) {
      throw new IllegalArgumentException("at least one request must get on its way");
    }
    this.pace = pace;
    this.actions = actions;
    this.mostUnderWay = mostUnderWay;
  }

  /** When {@link #tick} has something to do; {@code Long.MAX_VALUE} if never. */
  public long wakeMillis() {
    return wakeMillis;
  }

  /** Everything that is not decided, in the order in which it was asked. */
  public List<KeyRequest> undecided() {
    List<KeyRequest> undecided = new ArrayList<>();
    for (KeyRequest request = first; request != null; request = request.following) {
      if (request.kind != Kind.ACKNOWLEDGE) {
        undecided.add(request);
      }
    }
    return undecided;
  }

  // ---- the caller -----------------------------------------------------------------------------

  /**
   * Asks for a command under a key.
   *
   * @param deadlineMillis when the caller's wait ends; {@code Long.MAX_VALUE} for never
   */
  public KeyRequest submit(
      Scope scope,
      Key key,
      @Nullable Fingerprint fingerprint,
      Bytes payload,
      @Nullable Object attachment,
      long deadlineMillis,
      long nowMillis) {
    return ask(
        Kind.COMMAND, scope, key, fingerprint, payload, attachment, deadlineMillis, nowMillis);
  }

  /** Closes a key unless it executed (O2). */
  public KeyRequest abandon(
      Scope scope, Key key, @Nullable Object attachment, long deadlineMillis, long nowMillis) {
    return ask(Kind.ABANDON, scope, key, null, Bytes.EMPTY, attachment, deadlineMillis, nowMillis);
  }

  private KeyRequest ask(
      Kind kind,
      Scope scope,
      Key key,
      @Nullable Fingerprint fingerprint,
      Bytes payload,
      @Nullable Object attachment,
      long deadlineMillis,
      long nowMillis) {
    if (closing) {
      throw new IllegalStateException("nothing more can be asked: closing");
    }
    KeyRequest request =
        new KeyRequest(kind, new RequestId.OfKey(scope, key), payload, fingerprint, attachment);
    asking.merge(request.id, 1, Integer::sum);
    forgetTaken(scope, key);
    request.deadlineMillis = deadlineMillis;
    wakeBy(deadlineMillis);
    append(request);
    sendMore(nowMillis);
    return request;
  }

  /** The caller has the reply and will never send this key again (K2). */
  public void taken(Scope scope, Key key, long nowMillis) {
    if (asking.containsKey(new RequestId.OfKey(scope, key))) {
      return;
    }
    taken.computeIfAbsent(scope, any -> new LinkedHashSet<>()).add(key);
    acknowledgeMillis = closing ? nowMillis : nowMillis + ACKNOWLEDGE_MILLIS;
    wakeBy(acknowledgeMillis);
  }

  private void forgetTaken(Scope scope, Key key) {
    Set<Key> keys = taken.get(scope);
    if (keys != null && keys.remove(key) && keys.isEmpty()) {
      taken.remove(scope);
    }
  }

  /** Takes nothing new; tells when all is decided and acknowledged. */
  public void close(long nowMillis) {
    if (!closing) {
      closing = true;
      acknowledge(nowMillis);
      tellIfClosed();
    }
  }

  /**
   * Stops at once. What is undecided is unknown; what is not acknowledged stays until it is old.
   */
  public List<KeyRequest> leave() {
    List<KeyRequest> unknown = undecided();
    for (KeyRequest request = first; request != null; request = request.following) {
      request.state = State.DONE;
    }
    first = null;
    last = null;
    firstWaiting = null;
    taken.clear();
    asking.clear();
    closing = true;
    closed = true;
    wakeMillis = Long.MAX_VALUE;
    return unknown;
  }

  private void tellIfClosed() {
    if (closing && !closed && first == null && taken.isEmpty()) {
      closed = true;
      actions.closed();
    }
  }

  // ---- answers --------------------------------------------------------------------------------

  /** An answer to a copy. Late and repeated ones do no harm. */
  public void answered(KeyRequest asked, int copy, Answer answer, long nowMillis) {
    if (asked.isDecided()) {
      return;
    }
    if (answer instanceof Answer.Decided told) {
      decided(asked, copy, told.decision(), nowMillis);
    } else if (answer instanceof Answer.Rejected rejected) {
      finish(asked, nowMillis);
      if (asked.kind != Kind.ACKNOWLEDGE) {
        actions.rejected(asked, rejected.reason());
      }
      tellIfClosed();
    } else {
      turnedAway(asked, copy, nowMillis);
    }
  }

  private void decided(KeyRequest asked, int copy, Decision decision, long nowMillis) {
    boolean applied =
        decision instanceof Decision.Replied replied && !replied.replay()
            || decision instanceof Decision.Done;
    if (applied && copy == asked.copies) {
      asked.carried = List.of();
    }
    if (decision instanceof Refused refused && isRetried(asked, refused)) {
      turnedAway(asked, copy, nowMillis);
      return;
    }
    finish(asked, nowMillis);
    if (asked.kind != Kind.ACKNOWLEDGE) {
      actions.decided(asked, decision);
    }
    tellIfClosed();
  }

  private static boolean isRetried(KeyRequest asked, Refused refused) {
    return switch (refused.refusal()) {
      case OVERLOADED -> true;
      case FROM_THE_FUTURE -> ++asked.refusedAsFuture < MOST_REFUSALS_AS_FUTURE;
      case MISMATCH,
          ACKNOWLEDGED,
          ABANDONED,
          WINDOW_EXCEEDED,
          BAD_WATERMARK,
          OUT_OF_ORDER,
          SUPERSEDED,
          NO_SESSION,
          FORGOTTEN,
          UNDATED,
          TOO_LARGE,
          MALFORMED ->
          false;
    };
  }

  private void turnedAway(KeyRequest asked, int copy, long nowMillis) {
    if (asked.state == State.ASKED && copy == asked.copies) {
      asked.state = State.RESTING;
      asked.atMillis = nowMillis + pace.retryDelayMillis() + actions.jitterMillis();
      wakeBy(asked.atMillis);
    }
  }

  private void finish(KeyRequest request, long nowMillis) {
    if (request.state == State.ASKED || request.state == State.RESTING) {
      underWay--;
    }
    request.state = State.DONE;
    remove(request);
    if (request.kind != Kind.ACKNOWLEDGE) {
      asking.compute(request.id, (id, count) -> count == null || count == 1 ? null : count - 1);
    }
    // Whether the log heard these is not known: they are said again.
    for (Key key : request.carried) {
      taken(request.scope(), key, nowMillis);
    }
    request.carried = List.of();
    sendMore(nowMillis);
  }

  // ---- time and place -------------------------------------------------------------------------

  /** The connection broke, or another node leads: what is under way is sent again at once (C4). */
  public void rerouted(long nowMillis) {
    for (KeyRequest request = first; request != null; request = request.following) {
      if (request.state == State.ASKED || request.state == State.RESTING) {
        send(request, nowMillis);
      }
    }
  }

  /** Time has passed: sends what is due, ends waits, acknowledges. */
  public void tick(long nowMillis) {
    if (nowMillis < wakeMillis) {
      return;
    }
    wakeMillis = Long.MAX_VALUE;
    for (KeyRequest request = first; request != null; request = request.following) {
      if (request.deadlineMillis <= nowMillis) {
        request.deadlineMillis = Long.MAX_VALUE;
        actions.waitEnded(request);
      }
      wakeBy(request.deadlineMillis);
      if (request.dueMillis(pace) <= nowMillis) {
        send(request, nowMillis);
      }
      wakeBy(request.dueMillis(pace));
    }
    if (acknowledgeMillis <= nowMillis) {
      acknowledge(nowMillis);
    }
    wakeBy(acknowledgeMillis);
  }

  private void acknowledge(long nowMillis) {
    acknowledgeMillis = Long.MAX_VALUE;
    while (!taken.isEmpty()) {
      Scope scope = taken.keySet().iterator().next();
      KeyRequest alone =
          new KeyRequest(
              Kind.ACKNOWLEDGE, new RequestId.OfKey(scope, NO_KEY), Bytes.EMPTY, null, null);
      alone.carried = take(scope, Limits.ACKNOWLEDGED_KEYS);
      append(alone);
    }
    sendMore(nowMillis);
  }

  private List<Key> take(Scope scope, int most) {
    Set<Key> keys = taken.get(scope);
    if (keys == null) {
      return List.of();
    }
    List<Key> some = new ArrayList<>(Math.min(keys.size(), most));
    for (Key key : keys) {
      if (some.size() == most) {
        break;
      }
      some.add(key);
    }
    if (some.size() == keys.size()) {
      taken.remove(scope);
    } else {
      some.forEach(keys::remove);
    }
    return some;
  }

  // ---- sending --------------------------------------------------------------------------------

  private void sendMore(long nowMillis) {
    while (firstWaiting != null && underWay < mostUnderWay) {
      KeyRequest request = firstWaiting;
      firstWaiting = request.following;
      underWay++;
      if (request.kind == Kind.COMMAND) {
        request.carried = take(request.scope(), CARRIED_KEYS);
      }
      send(request, nowMillis);
    }
  }

  private void send(KeyRequest request, long nowMillis) {
    request.state = State.ASKED;
    request.atMillis = nowMillis;
    request.copies++;
    Request framed =
        switch (request.kind) {
          case COMMAND ->
              new Request.Keyed(
                  request.scope(),
                  request.key(),
                  request.fingerprint,
                  request.carried,
                  request.payload);
          case ABANDON -> new Request.AbandonKey(request.scope(), request.key());
          case ACKNOWLEDGE -> new Request.Acknowledge(request.scope(), request.carried);
        };
    actions.send(request, request.copies, framed);
    wakeBy(request.dueMillis(pace));
  }

  private void append(KeyRequest request) {
    if (last == null) {
      first = request;
    } else {
      last.following = request;
      request.previous = last;
    }
    last = request;
    if (firstWaiting == null) {
      firstWaiting = request;
    }
  }

  private void remove(KeyRequest request) {
    if (firstWaiting == request) {
      firstWaiting = request.following;
    }
    if (request.previous == null) {
      first = request.following;
    } else {
      request.previous.following = request.following;
    }
    if (request.following == null) {
      last = request.previous;
    } else {
      request.following.previous = request.previous;
    }
    request.previous = null;
    request.following = null;
  }

  private void wakeBy(long millis) {
    if (millis < wakeMillis) {
      wakeMillis = millis;
    }
  }
}
