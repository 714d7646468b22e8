package io.onceward.server;

import io.onceward.Bytes;
import io.onceward.DamagedException;
import io.onceward.Decision;
import io.onceward.Decision.Refused;
import io.onceward.Decision.Replied;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Scope;
import io.onceward.replica.Limits;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.replica.RequestDecoder;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where requests meet the leader. It turns away what is over a limit before memory is taken (L1,
 * K6), lets a retry wait for its twin that is already on its way (E4), and gathers what arrives
 * into log entries: a lone request leaves at once, a crowd shares entries, because only so many are
 * outstanding at a time.
 *
 * <p>It decides nothing. Whoever's request was handed to the log hears a decision of the log, or
 * that its fate is unknown (O3). It is open only on a leader that has applied an entry of its own
 * term, so what it refuses for lack of room is never the word of a leader that is behind.
 *
 * <p>A plain object: events and time come in, what it wants done goes to its {@link Surroundings}.
 * One thread at a time drives it.
 */
public final class Door implements Entrance {

  /** What the door asks of the node that it belongs to. */
  public interface Surroundings {
    /** Hands an entry to the log; {@link #decided} or {@link #lost} hears of the batch once. */
    void propose(byte[] entry, Batch batch);

    /**
     * Confirms that this node still leads; {@link #readable} or {@link #unreadable} hears of it.
     */
    void confirm(Reads reads);

    /** Answers what a leader may read from its tables now. */
    void serve(Visitor visitor, long ticket, Question question);

    /** Whether the answers since {@link #readable} was called are so long that it should end. */
    default boolean servedMuch() {
      return false;
    }

    /** Whether the log has already decided this request, so that asking again takes no room. */
    boolean remembers(String principal, Request request);

    /** The limit that a request which only takes room would meet now; or empty (K6). */
    default String obstacleToAdding(String principal, Request request) {
      return "";
    }

    /** Which of these keys still have a reply, which acknowledging them would drop (K2). */
    List<Key> withReply(String principal, Scope scope, List<Key> keys);

    /** Whether this watermark is above that of its session, and would be applied (S5). */
    boolean movesWatermark(String principal, Request.Address address, long watermark);

    /** Whether this node could host a service of this name; the log says whether it does (T1). */
    default boolean hosts(String service) {
      return false;
    }

    /** How much room there is for a principal now, by what was applied last. */
    Room room(String principal);
  }

  /** What apply said about the room that is left; refreshed with every entry (K6). */
  public record Room(long bytesLeft, long maxReplyBytes, long maxCommandBytes) {
    public static final Room AMPLE = new Room(Long.MAX_VALUE, 0, Limits.FRAME_BYTES);
  }

  /** What hashes at the door are keyed with. */
  public record Seed(long high, long low) {}

  /** Requests that went to the log together. */
  public static final class Batch {
    private final List<Waiting> waiting;
    private final long bytes;
    private final long keepAliveBytes;

    private Batch(List<Waiting> waiting, long bytes, long keepAliveBytes) {
      this.waiting = waiting;
      this.bytes = bytes;
      this.keepAliveBytes = keepAliveBytes;
    }

    public int size() {
      return waiting.size();
    }

    /** Whether the node itself logs this in it. */
    boolean carries(Request request) {
      Bytes frame = Bytes.of(RequestCodec.encode(request));
      for (Waiting one : waiting) {
        if (one.visitor == null && one.frame.equals(frame)) {
          return true;
        }
      }
      return false;
    }

    /** Who asks in this batch; mostly one. */
    public Set<String> principals() {
      Set<String> principals = new LinkedHashSet<>();
      String last = "";
      for (Waiting one : waiting) {
        if (!one.principal.equals(last)) {
          last = one.principal;
          principals.add(last);
        }
      }
      return principals;
    }
  }

  /** Questions that wait for one confirmation. */
  public static final class Reads {
    private final ArrayDeque<Read> reads = new ArrayDeque<>();
    private boolean begun;
  }

  private record Read(Visitor visitor, long ticket, Question question) {}

  /** Who speaks when the node itself has something to log. */
  static final String NODE = "onceward";

  /** What a copy that waits takes beside its frame. */
  private static final int WAITING_BYTES = 128;

  /** So many are looked up before others have their turn, or fewer if answers are long. */
  static final int READS_AT_A_TIME = 64;

  private static final Bytes TICK = Bytes.of(RequestCodec.encode(new Request.Tick()));

  private final Surroundings surroundings;
  private final DoorLimits limits;
  private final RequestDecoder decoder = new RequestDecoder();
  private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
  private final ArrayDeque<Waiting> keepAlives = new ArrayDeque<>();
  private final SeededHash hash;
  private final Additions additions;
  private final Map<Twin, Waiting> twins = new HashMap<>();
  private final Rooms rooms;
  private final QuestionRoom questions;
  private Reads nextReads = new Reads();
  private boolean confirming;
  private boolean open;
  private String leader = "";
  private long clusterTag;
  private int outstanding;
  private long waitingBytes;
  private long keepAliveBytes;
  private int keepAlivesDue;
  private boolean queueStayedBehind;
  private long decided;
  private long replays;
  private long coalesced;

  /**
   * A door that is shut.
   *
   * @param seed a secret of this node against ids that are made to collide; it decides nothing
   */
  public Door(Surroundings surroundings, DoorLimits limits, Seed seed) {
    this.surroundings = surroundings;
    this.limits = limits;
    this.hash = new SeededHash(seed.high, seed.low);
    this.rooms = new Rooms(surroundings);
    this.questions = new QuestionRoom(limits);
    this.additions = new Additions(surroundings, hash);
  }

  // ---- leadership -----------------------------------------------------------------------------

  /** This node leads and has applied an entry of its own term. */
  @Override
  public void open(long clusterTag) {
    this.clusterTag = clusterTag;
    open = true;
  }

  /**
   * This node does not lead: what was not handed to the log is sent elsewhere.
   *
   * @param leader where clients reach the leader; empty if unknown
   */
  @Override
  public void shut(String leader) {
    this.leader = leader;
    open = false;
    rooms.clear();
    Answer answer = elsewhere();
    turnAway(keepAlives, answer);
    turnAway(queue, answer);
    keepAlivesDue = 0;
    turnAway(nextReads, answer);
  }

  private void turnAway(ArrayDeque<Waiting> waiting, Answer answer) {
    for (Waiting first = waiting.poll(); first != null; first = waiting.poll()) {
      account(first.keepAlive, -first.frame.length());
      tell(first, answer);
    }
  }

  private void turnAway(Reads reads, Answer answer) {
    for (Read first = reads.reads.poll(); first != null; first = reads.reads.poll()) {
      questions.leaves(first.visitor, first.question);
      first.visitor.answer(first.ticket, answer);
    }
  }

  // ---- asking ---------------------------------------------------------------------------------

  /** A question arrived. What it causes leaves with the next {@link #flush}. */
  @Override
  public void ask(Visitor visitor, long ticket, Question question) {
    if (!open) {
      visitor.answer(ticket, elsewhere());
    } else if (question instanceof Question.Logged logged) {
      admit(visitor, ticket, logged.frame());
    } else {
      Answer obstacle = questions.enter(visitor, question);
      if (obstacle != null) {
        visitor.answer(ticket, obstacle);
      } else {
        nextReads.reads.add(new Read(visitor, ticket, question));
      }
    }
  }

  /** What waits for an answer without a place in the log, whether or not the door reads it. */
  QuestionRoom questions() {
    return questions;
  }

  private void arrives(Visitor visitor, boolean keepAlive) {
    visitor.waiting++;
    account(keepAlive, WAITING_BYTES);
  }

  private void leaves(Visitor visitor, boolean keepAlive) {
    visitor.waiting--;
    account(keepAlive, -WAITING_BYTES);
  }

  private void account(boolean keepAlive, long bytes) {
    if (keepAlive) {
      keepAliveBytes += bytes;
    } else {
      waitingBytes += bytes;
    }
  }

  private boolean hasRoom(boolean keepAlive, int frameBytes) {
    long bytes = frameBytes + (long) WAITING_BYTES;
    return keepAlive
        ? keepAliveBytes + bytes <= limits.keepAliveBytes()
        : waitingBytes + bytes <= limits.waitingBytes();
  }

  private void admit(Visitor visitor, long ticket, Bytes frame) {
    if (!RequestCodec.knownType(frame)) {
      // In the log it would stop every replica of this build.
      visitor.answer(
          ticket, new Answer.Rejected("this request is of a type that only a later build knows"));
      return;
    }
    Request request;
    try {
      request = decoder.decode(frame);
    } catch (DamagedException damaged) {
      refuse(visitor, ticket, Refusal.MALFORMED, "");
      return;
    }
    if (isForNodesOnly(request)) {
      visitor.answer(ticket, new Answer.Rejected("only a node may ask this of the log"));
      return;
    }
    if (request instanceof Request.EnableService enable && !surroundings.hosts(enable.name())) {
      // In the log it would stop every node that does not host it, this one first.
      visitor.answer(
          ticket, new Answer.Rejected("the leader hosts no service called " + enable.name()));
      return;
    }
    String principal = visitor.principal();
    if (visitor.waiting >= limits.waitingPerVisitor()) {
      refuse(visitor, ticket, Refusal.OVERLOADED, "requests in flight on a connection");
      return;
    }
    Twin twin = Twin.of(hash, principal, request, frame);
    Waiting first = twin == null ? null : twins.get(twin);
    boolean keepAlive = request instanceof Request.KeepAlive;
    if (first != null && hasRoom(keepAlive, 0)) {
      join(first, visitor, ticket, request, frame);
      return;
    }
    if (!hasRoom(keepAlive, frame.length())) {
      // It leaves nothing behind: whatever it carries, its retry says again (K6).
      refuse(
          visitor,
          ticket,
          Refusal.OVERLOADED,
          keepAlive ? "bytes of keep-alives in flight" : "bytes in flight");
      return;
    }
    Refused refused = rooms.obstacle(principal, request);
    if (refused != null) {
      visitor.answer(ticket, new Answer.Decided(refused, clusterTag));
      logCarried(visitor, request);
      return;
    }
    Waiting waiting = new Waiting(principal, frame, visitor, ticket, twin, null);
    waiting.keepAlive = keepAlive;
    arrives(visitor, keepAlive);
    account(keepAlive, frame.length());
    if (twin != null) {
      twins.put(twin, waiting);
      if (twin.executes()) {
        rooms.reserve();
      }
    }
    if (keepAlive) {
      // They take no entry of their own: the next one that leaves carries them, the tick at the
      // latest, unless they are very many.
      keepAlives.add(waiting);
      sendKeepAlivesIfMany();
    } else {
      queue.add(waiting);
    }
  }

  private static boolean isForNodesOnly(Request request) {
    return request instanceof Request.Tick
        || request instanceof Request.FormCluster
        || request instanceof Request.ReformCluster
        || request instanceof Request.ConfirmQuarantines
        || request instanceof Request.CompareDigests
        || request instanceof Request.NameDigest;
  }

  private void join(Waiting first, Visitor visitor, long ticket, Request request, Bytes frame) {
    coalesced++;
    Waiting copy = new Waiting(first.principal, Bytes.EMPTY, visitor, ticket, null, null);
    copy.copy = first.copy;
    first.copy = copy;
    copy.keepAlive = first.keepAlive;
    arrives(visitor, copy.keepAlive);
    if (copy.keepAlive) {
      sendKeepAlivesIfMany();
    }
    if (request instanceof Request.Keyed && !frame.equals(first.frame)) {
      logCarried(visitor, request);
    }
  }

  /** Those that wait get an entry before they fill their account, copies included (L2). */
  private void sendKeepAlivesIfMany() {
    if (keepAliveBytes > limits.keepAliveBytes() / 2) {
      keepAlivesDue = keepAlives.size();
    }
  }

  /** The copy is not logged, but what it carries must be if there is room: it makes room (K6). */
  private void logCarried(Visitor visitor, Request request) {
    long bytesLeft = limits.waitingBytes() - waitingBytes - WAITING_BYTES;
    if (visitor.waiting >= limits.waitingPerVisitor() || bytesLeft <= 0) {
      return;
    }
    Additions.Addition addition = additions.carriedBy(visitor.principal(), request, bytesLeft);
    if (addition != null) {
      arrives(visitor, false);
      waitingBytes += addition.frame.length() + addition.itemBytes();
      queue.add(new Waiting(visitor.principal(), addition.frame, visitor, 0, null, addition));
    }
  }

  private void refuse(Visitor visitor, long ticket, Refusal refusal, String limit) {
    visitor.answer(ticket, new Answer.Decided(new Refused(refusal, limit), clusterTag));
  }

  /** Lets time pass in the log, and with it the keep-alives that wait (S7, T3). */
  @Override
  public void tick() {
    keepAlivesDue = keepAlives.size();
    // Whatever entry leaves next lets time pass: while the log stands still, ticks do not pile up.
    if (open && queue.isEmpty()) {
      waitingBytes += TICK.length();
      queue.add(new Waiting(NODE, TICK, null, 0, null, null));
    }
  }

  /** Logs what the node itself has to say. */
  @Override
  public void log(Request request) {
    if (open) {
      Bytes frame = Bytes.of(RequestCodec.encode(request));
      waitingBytes += frame.length();
      queue.add(new Waiting(NODE, frame, null, 0, null, null));
    }
  }

  // ---- leaving --------------------------------------------------------------------------------

  /**
   * Lets out what may leave now.
   *
   * @param stampMillis what stamps the entries (T2)
   */
  @Override
  public void flush(long stampMillis) {
    while (open
        && outstanding < limits.entriesOutstanding()
        && (!queue.isEmpty() || keepAlivesDue > 0)) {
      List<Waiting> waiting = new ArrayList<>(Math.min(queue.size(), limits.entryRequests()));
      List<LogEntry.Proposal> proposals = new ArrayList<>(waiting.size());
      long bytes = gatherAll(waiting, proposals);
      byte[] entry = new LogEntry(clusterTag, stampMillis, proposals).encode();
      outstanding++;
      long ofKeepAlives = keepAliveBytesIn(waiting);
      surroundings.propose(entry, new Batch(waiting, bytes - ofKeepAlives, ofKeepAlives));
    }
    if (open && !confirming && !nextReads.reads.isEmpty()) {
      confirming = true;
      Reads reads = nextReads;
      nextReads = new Reads();
      surroundings.confirm(reads);
    }
  }

  /**
   * Keep-alives first, or a busy queue would leave no place for them, but while others wait they
   * take at most half of an entry: a million of them must not delay one request. If nothing that
   * waits fits beside them, they come last in the next entry.
   */
  private long gatherAll(List<Waiting> waiting, List<LogEntry.Proposal> proposals) {
    int parked = keepAlives.size();
    long bytes = 0;
    if (!queueStayedBehind) {
      int share = queue.isEmpty() ? limits.entryRequests() : (limits.entryRequests() + 1) / 2;
      int shareBytes = queue.isEmpty() ? limits.entryBytes() : limits.entryBytes() / 2;
      bytes = gather(keepAlives, waiting, proposals, 0, share, shareBytes);
    }
    int ahead = waiting.size();
    bytes = gather(queue, waiting, proposals, bytes, limits.entryRequests(), limits.entryBytes());
    queueStayedBehind = !queue.isEmpty() && waiting.size() == ahead;
    bytes =
        gather(keepAlives, waiting, proposals, bytes, limits.entryRequests(), limits.entryBytes());
    keepAlivesDue = Math.max(0, keepAlivesDue - (parked - keepAlives.size()));
    return bytes;
  }

  private static long keepAliveBytesIn(List<Waiting> waiting) {
    long bytes = 0;
    for (Waiting one : waiting) {
      bytes += one.keepAlive ? one.frame.length() : 0;
    }
    return bytes;
  }

  private static long gather(
      ArrayDeque<Waiting> from,
      List<Waiting> waiting,
      List<LogEntry.Proposal> proposals,
      long already,
      int mostRequests,
      int mostBytes) {
    long bytes = already;
    for (Waiting next = from.peek();
        next != null
            && waiting.size() < mostRequests
            && (waiting.isEmpty() || bytes + next.frame.length() <= mostBytes);
        next = from.peek()) {
      from.remove();
      bytes += next.frame.length();
      waiting.add(next);
      proposals.add(new LogEntry.Proposal(next.principal, next.frame));
    }
    return bytes;
  }

  // ---- hearing --------------------------------------------------------------------------------

  /** An entry that this door proposed was applied. */
  @Override
  public void decided(Batch batch, List<Decision> decisions) {
    settle(batch);
    for (int i = 0; i < batch.size(); i++) {
      Decision decision = decisions.get(i);
      decided++;
      if (decision instanceof Replied replied && replied.replay()) {
        replays++;
      }
      Waiting waiting = batch.waiting.get(i);
      if (waiting.visitor != null) {
        tellDecision(waiting, decision);
      }
    }
  }

  /** What became of an entry that this door proposed cannot be known here (O3). */
  @Override
  public void lost(Batch batch, String reason) {
    settle(batch);
    Answer answer = new Answer.Unknown(reason);
    for (Waiting waiting : batch.waiting) {
      tell(waiting, answer);
    }
  }

  private void settle(Batch batch) {
    outstanding--;
    waitingBytes -= batch.bytes;
    keepAliveBytes -= batch.keepAliveBytes;
  }

  private void tellDecision(Waiting first, Decision decision) {
    if (decision instanceof Refused refused && refused.refusal() == Refusal.OVERLOADED) {
      rooms.refused(first.principal);
    }
    tell(first, new Answer.Decided(decision, clusterTag));
  }

  /** Answers the copy that was admitted, and all that joined it; its twins are then logged anew. */
  private void tell(Waiting first, Answer answer) {
    if (first.twin != null) {
      twins.remove(first.twin);
      if (first.twin.executes()) {
        rooms.release();
      }
    }
    if (first.visitor == null) {
      return;
    }
    leaves(first.visitor, first.keepAlive);
    if (first.addition != null) {
      waitingBytes -= first.addition.itemBytes();
      additions.settled(first.addition);
      return;
    }
    first.visitor.answer(first.ticket, answer);
    Waiting copy = first.copy;
    if (copy == null) {
      return;
    }
    Answer again = asReplay(answer);
    for (; copy != null && copy.visitor != null; copy = copy.copy) {
      leaves(copy.visitor, copy.keepAlive);
      copy.visitor.answer(copy.ticket, again);
    }
  }

  /** Only one copy is the first; whoever waited beside it gets a replay (E3). */
  private static Answer asReplay(Answer answer) {
    if (answer instanceof Answer.Decided told && told.decision() instanceof Replied replied) {
      Replied replay = new Replied(replied.reply(), true, replied.position(), replied.timeMillis());
      return new Answer.Decided(replay, told.clusterTag());
    }
    return answer;
  }

  /**
   * This node was confirmed as leader: what waited may be read. Some of it is read now; for the
   * rest this is to be called again, after others had their turn. Nothing can become wrong
   * meanwhile, since tables only get newer.
   *
   * @return whether there is a rest
   */
  @Override
  public boolean readable(Reads reads) {
    if (!reads.begun) {
      reads.begun = true;
      confirming = false;
    }
    int left = READS_AT_A_TIME;
    Read read = reads.reads.poll();
    while (read != null) {
      questions.leaves(read.visitor, read.question);
      surroundings.serve(read.visitor, read.ticket, read.question);
      left--;
      read = left > 0 && !surroundings.servedMuch() ? reads.reads.poll() : null;
    }
    return !reads.reads.isEmpty();
  }

  /** This node could not be confirmed as leader; nothing was read. */
  @Override
  public void unreadable(Reads reads, String reason) {
    confirming = false;
    turnAway(reads, open ? new Answer.Unavailable(reason) : elsewhere());
  }

  /** How much room apply says there is for a principal. */
  @Override
  public void room(String principal, Room room) {
    if (open) {
      rooms.refresh(principal, room);
    }
  }

  // ---- figures --------------------------------------------------------------------------------

  public boolean isOpen() {
    return open;
  }

  private Answer elsewhere() {
    return new Answer.NotLeader(leader);
  }

  /** Requests that were decided through this door. */
  public long decided() {
    return decided;
  }

  /** Of these, how many were answered with an earlier reply. */
  public long replays() {
    return replays;
  }

  /** Copies that waited for a twin and were never logged. */
  public long coalesced() {
    return coalesced;
  }

  /** Whether keep-alives wait for an entry to carry them. */
  @Override
  public boolean keepAlivesWait() {
    return !keepAlives.isEmpty();
  }
}
