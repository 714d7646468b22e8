package io.onceward.testkit.teeth;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.ClusterId;
import io.onceward.DamagedException;
import io.onceward.Decision;
import io.onceward.Frozen;
import io.onceward.Key;
import io.onceward.Outcome;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.replica.LogEntry;
import io.onceward.replica.LogEntry.Proposal;
import io.onceward.replica.LogPlace;
import io.onceward.replica.Parameter;
import io.onceward.replica.Replica.SessionView;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.testkit.world.StateMachine;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A state machine with a bug around the real one: it changes entries before they are applied, and
 * decisions before they are told. As written here it changes nothing.
 */
class Around implements StateMachine {
  final Place place;
  final StateMachine inner;

  /** What the bug remembers; it travels in front of the real snapshot. */
  final TreeMap<String, Long> notes = new TreeMap<>();

  Around(Place place, StateMachine inner) {
    this.place = place;
    this.inner = inner;
  }

  /** One request of an entry, on its way in. */
  record Incoming(long position, int ordinal, String principal, Request request) {}

  // What a bug overrides.

  Request change(Incoming incoming) {
    return incoming.request();
  }

  String principal(Incoming incoming) {
    return incoming.principal();
  }

  /** Requests that nobody sent, at the end of the entry. */
  List<Proposal> extra(long position) {
    return List.of();
  }

  long term(long term) {
    return term;
  }

  long clusterTag(long tag) {
    return tag;
  }

  long stampMillis(long stampMillis) {
    return stampMillis;
  }

  /** What the sender of this request is told. */
  Decision told(Incoming incoming, Decision decision) {
    return decision;
  }

  void applied(long position, long term) {}

  // What it does with that.

  @Override
  public void apply(long position, long term, byte[] bytes, @Nullable Audience audience) {
    LogEntry entry = LogEntry.decode(bytes);
    List<Proposal> proposals = new ArrayList<>();
    List<@Nullable Incoming> incoming = new ArrayList<>();
    for (int ordinal = 0; ordinal < entry.proposals().size(); ordinal++) {
      Proposal proposal = entry.proposals().get(ordinal);
      Request request = read(proposal);
      if (request == null) {
        incoming.add(null);
        proposals.add(proposal);
      } else {
        Incoming asked = new Incoming(position, ordinal, proposal.principal(), request);
        incoming.add(asked);
        Request changed = change(asked);
        String principal = principal(asked);
        proposals.add(
            changed == request
                ? new Proposal(principal, proposal.frame())
                : new Proposal(principal, changed));
      }
    }
    proposals.addAll(extra(position));
    byte[] changed =
        new LogEntry(clusterTag(entry.clusterTag()), stampMillis(entry.stampMillis()), proposals)
            .encode();
    inner.apply(
        position,
        term(term),
        changed,
        (ordinal, decision) -> tell(incoming, ordinal, decision, audience));
    applied(position, term);
  }

  private void tell(
      List<@Nullable Incoming> incoming,
      int ordinal,
      Decision decision,
      @Nullable Audience audience) {
    if (ordinal < incoming.size()) {
      Incoming asked = incoming.get(ordinal);
      Decision told = asked == null ? decision : told(asked, decision);
      if (audience != null) {
        audience.decided(ordinal, told);
      }
    }
  }

  static @Nullable Request read(Proposal proposal) {
    try {
      return RequestCodec.decode(proposal.frame());
    } catch (DamagedException unreadable) {
      return null;
    }
  }

  // What bugs ask the real one.

  /** What is known of the request's id; null if it has none. */
  @Nullable Outcome outcome(Incoming incoming) {
    if (incoming.request() instanceof Request.InSession ask) {
      return inner.outcome(incoming.principal(), ask.address(), ask.sequence());
    }
    if (incoming.request() instanceof Request.Keyed ask) {
      return inner.outcome(incoming.principal(), ask.scope(), ask.key());
    }
    if (incoming.request() instanceof Request.AbandonKey ask) {
      return inner.outcome(incoming.principal(), ask.scope(), ask.key());
    }
    if (incoming.request() instanceof Request.AbandonSequence ask) {
      return inner.outcome(incoming.principal(), ask.address(), ask.sequence());
    }
    return null;
  }

  @Nullable SessionView session(long number) {
    for (SessionView view : inner.sessions()) {
      if (view.session() == number) {
        return view;
      }
    }
    return null;
  }

  Request.Address currentAddress(SessionView view) {
    return new Request.Address(inner.clusterId().tag(), view.session(), view.incarnation());
  }

  /** The command as a request that always executes; null if it carries none. */
  static @Nullable Request withoutId(Request request) {
    if (request instanceof Request.InSession ask) {
      return new Request.Unkeyed(ask.command());
    }
    return request instanceof Request.Keyed ask ? new Request.Unkeyed(ask.command()) : null;
  }

  // The rest is the real one's.

  @Override
  public long position() {
    return inner.position();
  }

  @Override
  public long timeMillis() {
    return inner.timeMillis();
  }

  @Override
  public long ageMillis() {
    return inner.ageMillis();
  }

  @Override
  public ClusterId clusterId() {
    return inner.clusterId();
  }

  @Override
  public long parameter(Parameter parameter) {
    return inner.parameter(parameter);
  }

  @Override
  public long tableBytes() {
    return inner.tableBytes();
  }

  @Override
  public long bytesLeft(String principal) {
    return inner.bytesLeft(principal);
  }

  @Override
  public boolean anythingCanExpire() {
    return inner.anythingCanExpire();
  }

  @Override
  public Outcome outcome(String principal, Request.Address address, long sequence) {
    return inner.outcome(principal, address, sequence);
  }

  @Override
  public Outcome outcome(String principal, Scope scope, Key key) {
    return inner.outcome(principal, scope, key);
  }

  @Override
  public boolean remembers(String principal, Request request) {
    return inner.remembers(principal, request);
  }

  @Override
  public String obstacleToAdding(String principal, Request request) {
    return inner.obstacleToAdding(principal, request);
  }

  @Override
  public boolean hasReply(String principal, Scope scope, Key key) {
    return inner.hasReply(principal, scope, key);
  }

  @Override
  public boolean movesWatermark(String principal, Request.Address address, long watermark) {
    return inner.movesWatermark(principal, address, watermark);
  }

  @Override
  public Reply query(String principal, Bytes question) {
    return inner.query(principal, question);
  }

  @Override
  public long countOlderThan(long beforeMillis) {
    return inner.countOlderThan(beforeMillis);
  }

  @Override
  public long countByAge(long beforeAgeMillis) {
    return inner.countByAge(beforeAgeMillis);
  }

  @Override
  public long horizonMicros(Scope scope) {
    return inner.horizonMicros(scope);
  }

  @Override
  public Optional<SessionView> session(String principal, ClientKind kind, String name) {
    return inner.session(principal, kind, name);
  }

  @Override
  public List<SessionView> sessions(long afterSession, int most) {
    return inner.sessions(afterSession, most);
  }

  @Override
  public List<SessionView> sessions() {
    return inner.sessions();
  }

  @Override
  public List<LogPlace> unconfirmedQuarantines() {
    return inner.unconfirmedQuarantines();
  }

  @Override
  public boolean asksForDigest() {
    return inner.asksForDigest();
  }

  @Override
  public Request.@Nullable NameDigest namedDigest() {
    return inner.namedDigest();
  }

  @Override
  public void quarantine(long position, int ordinal) {
    inner.quarantine(position, ordinal);
  }

  @Override
  public Frozen freeze() {
    TreeMap<String, Long> noted = new TreeMap<>(notes);
    Frozen frozen = inner.freeze();
    return stream -> {
      DataOutputStream out = new DataOutputStream(stream);
      out.writeInt(noted.size());
      for (Map.Entry<String, Long> note : noted.entrySet()) {
        out.writeUTF(note.getKey());
        out.writeLong(note.getValue());
      }
      out.flush();
      frozen.writeTo(stream);
    };
  }

  /** Reads the notes of a snapshot; the real one's part follows. */
  static TreeMap<String, Long> readNotes(InputStream stream) throws IOException {
    DataInputStream in = new DataInputStream(stream);
    TreeMap<String, Long> notes = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      String note = in.readUTF();
      notes.put(note, in.readLong());
    }
    return notes;
  }

  @Override
  public String digest() {
    return inner.digest();
  }
}
