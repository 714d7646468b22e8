package io.onceward.testkit.teeth;

import io.onceward.DamagedException;
import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.server.Door;
import io.onceward.server.DoorLimits;
import io.onceward.server.Entrance;
import io.onceward.server.Visitor;
import io.onceward.testkit.world.DoorMaker.Outlook;
import io.onceward.testkit.world.Guest;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A door with a bug around the real one: it changes what is asked before the door sees it, what is
 * answered before the visitor hears it, and what passes between door and node. As written here it
 * changes nothing.
 */
class AroundDoor implements Entrance, Door.Surroundings {
  final Door.Surroundings node;
  final Outlook outlook;
  final Door inner;
  private final Map<Visitor, Guest> inside = new HashMap<>();
  private final Map<Long, Request> asked = new HashMap<>();

  AroundDoor(Door.Surroundings node, DoorLimits limits, Outlook outlook) {
    this.node = node;
    this.outlook = outlook;
    this.inner = new Door(this, limits, new Door.Seed(1, 2));
  }

  /** One request on its way to the door. */
  record Visit(Guest guest, long ticket, Request request) {
    String principal() {
      return guest.principal();
    }
  }

  // What a bug overrides.

  /** Whether the door never gets to see this request. */
  boolean keepsOut(Visit visit) {
    return false;
  }

  /**
   * What a visitor hears in place of an answer; null for nothing.
   *
   * @param request what it answers; null if that was no request for the log
   */
  @Nullable Answer told(Guest guest, long ticket, @Nullable Request request, Answer answer) {
    return answer;
  }

  // What it does with that.

  @Override
  public void ask(Visitor visitor, long ticket, Question question) {
    Guest guest = (Guest) visitor;
    Request request = question instanceof Question.Logged logged ? read(logged) : null;
    if (request != null) {
      asked.put(ticket, request);
      if (keepsOut(new Visit(guest, ticket, request))) {
        return;
      }
    }
    inner.ask(inside.computeIfAbsent(guest, this::inside), ticket, question);
  }

  /** The same visitor, as the real door knows it. */
  private Guest inside(Visitor visitor) {
    Guest guest = (Guest) visitor;
    return new Guest(guest.principal()) {
      @Override
      public void answer(long ticket, Answer answer) {
        Answer told = told(guest, ticket, asked.remove(ticket), answer);
        if (told != null) {
          guest.answer(ticket, told);
        }
      }
    };
  }

  private static @Nullable Request read(Question.Logged logged) {
    try {
      return RequestCodec.knownType(logged.frame()) ? RequestCodec.decode(logged.frame()) : null;
    } catch (DamagedException unreadable) {
      return null;
    }
  }

  void answer(Visit visit, Decision decision) {
    long tag = outlook.machine().clusterId().tag();
    visit.guest().answer(visit.ticket(), new Answer.Decided(decision, tag));
  }

  /** The name of a request, whoever asks it and with whatever payload; null if it has none. */
  static @Nullable Object idOf(Request request) {
    if (request instanceof Request.InSession ask) {
      return List.of(ask.address(), ask.sequence());
    }
    return request instanceof Request.Keyed ask ? List.of(ask.scope(), ask.key()) : null;
  }

  // The rest is the real one's.

  @Override
  public void open(long clusterTag) {
    inner.open(clusterTag);
  }

  @Override
  public void shut(String leader) {
    inner.shut(leader);
  }

  @Override
  public void tick() {
    inner.tick();
  }

  @Override
  public void log(Request request) {
    inner.log(request);
  }

  @Override
  public void flush(long stampMillis) {
    inner.flush(stampMillis);
  }

  @Override
  public void decided(Door.Batch batch, List<Decision> decisions) {
    inner.decided(batch, decisions);
  }

  @Override
  public void lost(Door.Batch batch, String reason) {
    inner.lost(batch, reason);
  }

  @Override
  public boolean readable(Door.Reads reads) {
    return inner.readable(reads);
  }

  @Override
  public void unreadable(Door.Reads reads, String reason) {
    inner.unreadable(reads, reason);
  }

  @Override
  public void room(String principal, Door.Room room) {
    inner.room(principal, room);
  }

  @Override
  public boolean keepAlivesWait() {
    return inner.keepAlivesWait();
  }

  @Override
  public void propose(byte[] entry, Door.Batch batch) {
    node.propose(entry, batch);
  }

  @Override
  public void confirm(Door.Reads reads) {
    node.confirm(reads);
  }

  @Override
  public void serve(Visitor visitor, long ticket, Question question) {
    node.serve(visitor, ticket, question);
  }

  @Override
  public boolean servedMuch() {
    return node.servedMuch();
  }

  @Override
  public boolean remembers(String principal, Request request) {
    return node.remembers(principal, request);
  }

  @Override
  public String obstacleToAdding(String principal, Request request) {
    return node.obstacleToAdding(principal, request);
  }

  @Override
  public boolean hosts(String service) {
    return node.hosts(service);
  }

  @Override
  public List<Key> withReply(String principal, Scope scope, List<Key> keys) {
    return node.withReply(principal, scope, keys);
  }

  @Override
  public boolean movesWatermark(String principal, Request.Address address, long watermark) {
    return node.movesWatermark(principal, address, watermark);
  }

  @Override
  public Door.Room room(String principal) {
    return node.room(principal);
  }
}
