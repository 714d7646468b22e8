package io.onceward.benchmarks;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.replica.LogEntry;
import io.onceward.replica.LogEntry.Proposal;
import io.onceward.replica.Parameter;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import java.util.ArrayList;
import java.util.List;

/** A replica and a log that drives it. Entries are encoded first and applied afterwards. */
final class ReplicaRun {
  private static final String SOMEONE = "someone";
  private static final Scope SCOPE = new Scope("tenant");
  private static final Bytes COMMAND = Bytes.of(new byte[16]);
  private static final long TERM = 1;

  private final Replica replica = new Replica(new ConstantService(), 42);
  private double timeMillis;
  private long position;

  ReplicaRun() {
    set(Parameter.MAX_TABLE_BYTES, Parameter.MAX_TABLE_BYTES.most());
    set(Parameter.MAX_PRINCIPAL_BYTES, Parameter.MAX_PRINCIPAL_BYTES.most());
    set(Parameter.MAX_SESSIONS_PER_PRINCIPAL, Parameter.MAX_SESSIONS_PER_PRINCIPAL.most());
  }

  Replica replica() {
    return replica;
  }

  void set(Parameter parameter, long value) {
    byte[] entry = entry(0, List.of(new Request.SetParameter(parameter, value)));
    apply(
        entry,
        (ordinal, decision) -> {
          if (!(decision instanceof Decision.Done)) {
            throw new IllegalStateException("setting " + parameter + " gave " + decision);
          }
        });
  }

  /** The bytes of an entry that comes so long after the one encoded before it. */
  byte[] entry(double millisLater, List<? extends Request> requests) {
    timeMillis += millisLater;
    List<Proposal> proposals = new ArrayList<>(requests.size());
    for (Request request : requests) {
      proposals.add(new Proposal(SOMEONE, request));
    }
    return new LogEntry(0, (long) timeMillis, proposals).encode();
  }

  void apply(byte[] entry, Replica.Audience audience) {
    replica.apply(++position, TERM, entry, audience);
  }

  /** Applies an entry whose requests all execute now. */
  void execute(byte[] entry) {
    apply(entry, ReplicaRun::requireExecuted);
  }

  private static void requireExecuted(int ordinal, Decision decision) {
    if (!(decision instanceof Decision.Replied replied) || replied.replay()) {
      throw new IllegalStateException("request " + ordinal + " did not execute: " + decision);
    }
  }

  static Request.Keyed keyed(long number, List<Key> acknowledged) {
    Fingerprint fingerprint = new Fingerprint(NumberedIds.fingerprint(number));
    return new Request.Keyed(SCOPE, key(number), fingerprint, acknowledged, COMMAND);
  }

  static Request.InSession inSession(long session, long sequence) {
    Fingerprint fingerprint = new Fingerprint(NumberedIds.fingerprint(sequence));
    Request.Address address = new Request.Address(0, session, session);
    return new Request.InSession(address, sequence, sequence, fingerprint, COMMAND);
  }

  static Key key(long number) {
    return Key.uuid(NumberedIds.uuid(number));
  }
}
