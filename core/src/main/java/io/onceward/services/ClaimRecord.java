package io.onceward.services;

import io.onceward.Bytes;
import io.onceward.Fingerprint;
import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.Evidence;
import io.onceward.guard.GuardedId;
import io.onceward.guard.UnknownRequest;
import io.onceward.services.ClaimTable.Now;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a store knows of one request. It does not change; each step makes another one, because
 * snapshots share it.
 *
 * @param place where it stands among all starts of its store: a re-run keeps it, a run after a
 *     release takes a new one
 * @param why why it is unknown; of an acknowledged one, the digest of its reply
 * @param reply not null if and only if it is done
 * @param dueAge the age at which it may be dropped; means nothing while it is open
 */
record ClaimRecord(
    long place,
    @Nullable Fingerprint fingerprint,
    State state,
    long fence,
    String operation,
    String memo,
    long startedMillis,
    long startedAge,
    long leaseMillis,
    long leaseEndsAge,
    long retentionMillis,
    long dueAge,
    String why,
    @Nullable Reply reply,
    List<Late> evidence) {

  /** About what record, id, key and places in maps take; texts and replies come on top. */
  private static final int OWN_BYTES = 704;

  private static final int BYTES_PER_EVIDENCE = 64;

  /** The codes are in snapshots for ever. */
  enum State {
    STARTED,
    DONE,
    UNKNOWN,
    RELEASED,
    /** It was done; its reply was taken and dropped. */
    ACKNOWLEDGED,
    /** It was never started and never will be. */
    ABANDONED
  }

  /** A completion that was refused. */
  record Late(long fence, Reply reply, long arrivedMillis) {}

  static ClaimRecord started(long place, long fence, Ask ask, ClaimTerms terms, Now now) {
    return new ClaimRecord(
        place,
        ask.fingerprint(),
        State.STARTED,
        fence,
        ask.operation(),
        ask.memo(),
        now.millis(),
        now.age(),
        terms.leaseMillis(),
        sum(now.age(), terms.leaseMillis()),
        terms.retentionMillis(),
        0,
        "",
        null,
        List.of());
  }

  /** Of a request that is closed before it was started. */
  static ClaimRecord abandoned(long place, long retentionMillis, Now now) {
    return new ClaimRecord(
        place,
        null,
        State.ABANDONED,
        0,
        "",
        "",
        now.millis(),
        now.age(),
        1,
        now.age(),
        retentionMillis,
        sum(now.age(), retentionMillis),
        "",
        null,
        List.of());
  }

  /** Closed after a run that did not happen. */
  ClaimRecord abandoned(long newRetention, long age) {
    return with(State.ABANDONED, sum(age, newRetention), "", null, evidence);
  }

  /** After the word that its reply was taken; what refuses copies stays as long (K2). */
  ClaimRecord acknowledged() {
    return with(State.ACKNOWLEDGED, dueAge, digest(Objects.requireNonNull(reply)), null, evidence);
  }

  /** Tells a completion that is said again from one that contradicts it. */
  private static String digest(Reply reply) {
    return reply.kind().code() + " " + Fingerprint.ofPayload(reply.bytes());
  }

  /** Whether it was completed with this reply, also if the reply is not kept any more. */
  boolean endedWith(Reply completion) {
    return completion.equals(reply)
        || state == State.ACKNOWLEDGED && why.equals(digest(completion));
  }

  /** The next run. After a release it counts from its own start, else from the first one's. */
  ClaimRecord startedAgain(long newPlace, Ask ask, ClaimTerms terms, Now now) {
    return new ClaimRecord(
        newPlace,
        fingerprint,
        State.STARTED,
        fence + 1,
        ask.operation(),
        ask.memo(),
        state == State.RELEASED ? now.millis() : startedMillis,
        state == State.RELEASED ? now.age() : startedAge,
        terms.leaseMillis(),
        sum(now.age(), terms.leaseMillis()),
        terms.retentionMillis(),
        0,
        "",
        null,
        evidence);
  }

  /** After word of the run with this fence that it does not know. */
  ClaimRecord doubted(long ofFence, String because) {
    return fence == ofFence && state == State.STARTED
        ? with(State.UNKNOWN, 0, because, null, evidence)
        : this;
  }

  /** After word that the run with this fence ended: decided, or with one more piece of evidence. */
  ClaimRecord completed(long ofFence, Reply with, Now now) {
    if (fence == ofFence && isOpen()) {
      return decided(with, now.age());
    }
    return fence == ofFence && endedWith(with)
        ? this
        : suspected(new Late(ofFence, with, now.millis()));
  }

  private ClaimRecord decided(Reply kept, long age) {
    return with(State.DONE, sum(age, retentionMillis), "", kept, evidence);
  }

  ClaimRecord released(long age) {
    return with(State.RELEASED, sum(age, retentionMillis), "", null, evidence);
  }

  /** With one more piece of evidence, if it is new and there is room for it. */
  private ClaimRecord suspected(Late late) {
    if (evidence.size() == ClaimStore.EVIDENCE_AT_LEAST) {
      return this;
    }
    for (Late each : evidence) {
      if (each.fence() == late.fence() && each.reply().equals(late.reply())) {
        return this;
      }
    }
    List<Late> more = new ArrayList<>(evidence);
    more.add(late);
    return with(state, dueAge, why, reply, List.copyOf(more));
  }

  private ClaimRecord with(
      State newState, long newDue, String newWhy, @Nullable Reply newReply, List<Late> late) {
    return new ClaimRecord(
        place,
        fingerprint,
        newState,
        fence,
        operation,
        memo,
        startedMillis,
        startedAge,
        leaseMillis,
        leaseEndsAge,
        retentionMillis,
        newDue,
        newWhy,
        newReply,
        late);
  }

  /**
   * E7: what is refused for good is refused whatever it asks. A caller without a fingerprint is not
   * checked; one with another is turned away.
   */
  boolean matches(Ask ask) {
    return isClosed() || ask.fingerprint() == null || ask.fingerprint().equals(fingerprint);
  }

  /** Refused for good, whatever is asked. */
  boolean isClosed() {
    return state == State.ACKNOWLEDGED || state == State.ABANDONED;
  }

  boolean isOpen() {
    return state == State.STARTED || state == State.UNKNOWN;
  }

  /** Age never goes back, so a lease that is over stays over, whoever looks first. */
  boolean isUnknown(long nowAge) {
    return state == State.UNKNOWN || state == State.STARTED && leaseEndsAge <= nowAge;
  }

  /**
   * Age stands still in an outage and log time behind a clock that ran ahead; how long ago it
   * started is the greater of the two, so that nobody takes it for younger than it is (G4).
   */
  UnknownRequest describe(GuardedId id, Now now) {
    return new UnknownRequest(
        id,
        operation,
        memo,
        fence,
        Instant.ofEpochMilli(startedMillis),
        Math.max(now.millis() - startedMillis, now.age() - startedAge),
        state == State.UNKNOWN
            ? why
            : "the lease of " + leaseMillis + " ms ended without word of the run");
  }

  List<Evidence> evidence(GuardedId id) {
    List<Evidence> told = new ArrayList<>();
    for (Late late : evidence) {
      told.add(
          new Evidence(id, late.fence(), late.reply(), Instant.ofEpochMilli(late.arrivedMillis())));
    }
    return told;
  }

  /** What it takes; {@link ClaimRoom} adds what is held for the reply of a run. */
  long bytes(GuardedId id) {
    long characters =
        (long) id.principal().length()
            + id.scope().name().length()
            + operation.length()
            + memo.length()
            // The digest of a reply is not charged: an acknowledgement must never need room (K6).
            + (isClosed() ? 0 : why.length());
    long bytes = OWN_BYTES + 2 * characters;
    for (Late late : evidence) {
      bytes += bytes(late);
    }
    return reply == null ? bytes : bytes + reply.bytes().length();
  }

  private static long bytes(Late late) {
    return (long) BYTES_PER_EVIDENCE + late.reply().bytes().length();
  }

  void writeTo(StateOutput out) throws IOException {
    out.i64(place);
    out.i64(fingerprint == null ? 0 : 1);
    out.i64(fingerprint == null ? 0 : fingerprint.bits());
    out.i64(state.ordinal());
    out.i64(fence);
    out.utf8(operation);
    out.utf8(memo);
    out.i64(startedMillis);
    out.i64(startedAge);
    out.i64(leaseMillis);
    out.i64(leaseEndsAge);
    out.i64(retentionMillis);
    out.i64(dueAge);
    out.utf8(why);
    if (reply != null) {
      write(out, reply);
    }
    out.i64(evidence.size());
    for (Late late : evidence) {
      out.i64(late.fence());
      write(out, late.reply());
      out.i64(late.arrivedMillis());
    }
  }

  static ClaimRecord readFrom(StateInput in) throws IOException {
    long place = in.i64();
    boolean hasFingerprint = in.number("fingerprint", 1) == 1;
    long bits = in.i64();
    State state = State.values()[(int) in.number("state", State.values().length - 1)];
    return new ClaimRecord(
        place,
        hasFingerprint ? new Fingerprint(bits) : null,
        state,
        in.i64(),
        in.utf8(Ask.MAX_OPERATION_BYTES),
        in.utf8(Ask.MAX_MEMO_BYTES),
        in.i64(),
        in.i64(),
        in.i64(),
        in.i64(),
        in.i64(),
        in.i64(),
        in.utf8(ClaimCodec.WHY_BYTES),
        state == State.DONE ? reply(in) : null,
        evidence(in));
  }

  private static List<Late> evidence(StateInput in) throws IOException {
    List<Late> evidence = new ArrayList<>();
    long count = in.number("evidence", ClaimStore.EVIDENCE_AT_LEAST);
    for (long i = 0; i < count; i++) {
      evidence.add(new Late(in.i64(), reply(in), in.i64()));
    }
    return List.copyOf(evidence);
  }

  private static void write(StateOutput out, Reply reply) throws IOException {
    out.i64(reply.kind().code());
    out.bytes(reply.bytes());
  }

  private static Reply reply(StateInput in) throws IOException {
    Reply.Kind kind =
        Reply.Kind.ofCode((int) in.number("reply kind", Reply.Kind.values().length - 1));
    Bytes bytes = in.bytes(ServiceLimits.CLAIM_REPLY_BYTES);
    return new Reply(kind, bytes);
  }

  private static long sum(long from, long millis) {
    return from > Long.MAX_VALUE - millis ? Long.MAX_VALUE : from + millis;
  }
}
