package io.onceward.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.replica.Request;
import io.onceward.wire.Answer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A session under test, what it has sent and told, and a journal that a test can crash. */
final class Conversation implements SessionActions, Journal {
  static final Pace PACE = new Pace(100, 2_000, Pace.AS_THE_CLUSTER_WANTS);
  static final long TAG = Cluster.ID.tag();

  /** A copy that the session sent. */
  record Copy(
      SessionRequest asked,
      int copy,
      @Nullable Request request,
      ClientKind readKind,
      String readName) {
    long sequence() {
      return asked.sequence();
    }

    Request.InSession command() {
      return (Request.InSession) request;
    }
  }

  final ClientSession session;
  final List<Copy> sent = new ArrayList<>();
  final Map<SessionRequest, Decision> decided = new LinkedHashMap<>();
  final List<SessionRequest> waitsEnded = new ArrayList<>();
  final List<JournalRecord> records;
  List<SessionRequest> unknown = List.of();
  @Nullable End end;
  int syncs;
  int durable;
  boolean syncsAtOnce;

  /** The next append does nothing but throw. */
  boolean appendFails;

  /** The next decision is not told to anybody. */
  boolean tellingFails;

  long jitterMillis;
  long now;

  Conversation(SessionPlan plan) {
    this(plan, PACE);
  }

  Conversation(SessionPlan plan, Pace pace) {
    this.records = new ArrayList<>();
    this.session = new ClientSession(plan, pace, this);
  }

  /** With a journal that holds these records. */
  Conversation(SessionPlan plan, List<JournalRecord> journal) {
    this.records = new ArrayList<>(journal);
    this.durable = records.size();
    this.session = new ClientSession(plan, PACE, this, this, state(journal));
  }

  static JournalState state(List<JournalRecord> records) {
    JournalState state = new JournalState();
    records.forEach(state::apply);
    return state;
  }

  static SessionPlan registered() {
    return new SessionPlan(ClientKind.REGISTERED, "", true, 0, 1, 2);
  }

  static SessionPlan durable(String name, long nonce) {
    return new SessionPlan(ClientKind.DURABLE, name, true, 0, nonce, nonce);
  }

  /** An open, ordered session with this window, at sequence 1. */
  static Conversation open(int window) {
    return open(window, true);
  }

  static Conversation open(int window, boolean ordered) {
    Conversation talk = new Conversation(registered());
    talk.session.start(0);
    talk.opens(window, ordered);
    return talk;
  }

  /** The opening, which was just sent, is decided. */
  void opens(int window, boolean ordered) {
    answer(last(), new Decision.Opened(77, 77, 1, 1, window, ordered));
    assertThat(session.isOpen()).isTrue();
    sent.clear();
  }

  /** What a crash leaves of the journal. */
  List<JournalRecord> crash() {
    return List.copyOf(records.subList(0, durable));
  }

  SessionRequest submit(String text) {
    return submit(text, Long.MAX_VALUE);
  }

  SessionRequest submit(String text, long deadlineMillis) {
    Bytes payload = Bytes.utf8(text);
    return session.submit(payload, Fingerprint.ofPayload(payload), "", null, deadlineMillis, now);
  }

  SessionRequest submitTagged(String tag) {
    Bytes payload = Bytes.utf8(tag);
    return session.submit(payload, Fingerprint.ofPayload(payload), tag, null, Long.MAX_VALUE, now);
  }

  Copy last() {
    return sent.get(sent.size() - 1);
  }

  /** All that was sent since the last call. */
  List<Copy> takeSent() {
    List<Copy> taken = List.copyOf(sent);
    sent.clear();
    return taken;
  }

  List<Long> takeSequences() {
    return takeSent().stream().map(Copy::sequence).toList();
  }

  void answer(Copy copy, Decision decision) {
    answer(copy, new Answer.Decided(decision, TAG));
  }

  void answer(Copy copy, Answer answer) {
    session.answered(copy.asked(), copy.copy(), answer, now);
  }

  void reply(Copy copy) {
    answer(copy, replied(false));
  }

  void refuse(Copy copy, Refusal refusal) {
    answer(copy, new Decision.Refused(refusal));
  }

  static Decision.Replied replied(boolean replay) {
    return new Decision.Replied(Reply.ok("yes"), replay, 5, 6);
  }

  /** Lets time pass in steps of 10 ms. */
  void pass(long millis) {
    long end = now + millis;
    while (now < end) {
      now = Math.min(end, now + 10);
      session.tick(now);
    }
  }

  void syncDone() {
    durable = records.size();
    session.synced(durable, now);
  }

  // Actions.

  @Override
  public void send(SessionRequest asked, int copy, Request request) {
    sent.add(new Copy(asked, copy, request, ClientKind.REGISTERED, ""));
  }

  @Override
  public void read(SessionRequest asked, int copy, ClientKind kind, String name) {
    sent.add(new Copy(asked, copy, null, kind, name));
  }

  @Override
  public void opened(Decision.Opened opened, Request.Address address) {}

  @Override
  public void decided(SessionRequest request, Decision decision) {
    if (tellingFails) {
      tellingFails = false;
      throw new OutOfMemoryError("as the test wants it");
    }
    assertThat(decided.put(request, decision)).as("told once").isNull();
  }

  @Override
  public void waitEnded(SessionRequest request) {
    waitsEnded.add(request);
  }

  @Override
  public void ended(End ended, List<SessionRequest> unknownNow) {
    assertThat(end).as("ends once").isNull();
    end = ended;
    unknown = unknownNow;
  }

  @Override
  public long jitterMillis() {
    return jitterMillis;
  }

  // Journal.

  @Override
  public long append(JournalRecord record) {
    if (appendFails) {
      appendFails = false;
      throw new OutOfMemoryError("as the test wants it");
    }
    records.add(record);
    return records.size();
  }

  @Override
  public void sync() {
    syncs++;
    if (syncsAtOnce) {
      syncDone();
    }
  }
}
