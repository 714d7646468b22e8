package io.onceward.benchmarks;

import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.replica.Request;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/** The whole way of a session request through {@code Replica.apply}, from the entry's bytes on. */
final class SessionApply {
  private static final int BATCH = SessionRun.BATCH;
  private static final int PREPARED_ENTRIES = 64;

  private final ReplicaRun run = new ReplicaRun();
  private final long[] sessionOf;
  private final int[] sequenceOf;
  private final SplittableRandom random = new SplittableRandom(1);
  private final double millisPerEntry;
  private int opened;

  private SessionApply(int sessions) {
    this.sessionOf = new long[sessions];
    this.sequenceOf = new int[sessions];
    this.millisPerEntry = SessionRun.MILLIS_BETWEEN_REQUESTS_OF_A_CLIENT / sessions * BATCH;
  }

  static void run(Sizes sizes, Path scratch, Samples samples) {
    SessionApply apply = new SessionApply(sizes.sessions());
    apply.openAll();
    apply.askEachOnce();
    apply.round(sizes.requests());
    for (int round = 0; round < sizes.rounds(); round++) {
      Meter meter = apply.round(sizes.requests());
      int requests = wholeEntries(sizes.requests());
      samples.add("session-apply", meter.nanosPer(requests));
      samples.add("session-apply-allocation", meter.bytesPer(requests));
    }
  }

  private void openAll() {
    double millisPerOpenings = SessionRun.OPENING_MILLIS / sessionOf.length * BATCH;
    while (opened < sessionOf.length) {
      int count = Math.min(BATCH, sessionOf.length - opened);
      List<Request> openings = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        openings.add(opening(NumberedIds.uuid(opened + i)));
      }
      run.apply(
          run.entry(millisPerOpenings, openings), (ordinal, decision) -> noteOpened(decision));
    }
  }

  private static Request.Open opening(UUID nonce) {
    long high = nonce.getMostSignificantBits();
    long low = nonce.getLeastSignificantBits();
    return new Request.Open(ClientKind.REGISTERED, "", high, low, 0, 0, false, true, 0);
  }

  private void noteOpened(Decision decision) {
    if (!(decision instanceof Decision.Opened session)) {
      throw new IllegalStateException("client " + opened + " is not opened: " + decision);
    }
    sessionOf[opened++] = session.session();
  }

  private void askEachOnce() {
    for (int done = 0; done < sessionOf.length; done += BATCH) {
      List<Request> requests = new ArrayList<>(BATCH);
      for (int client = done; client < Math.min(done + BATCH, sessionOf.length); client++) {
        requests.add(ReplicaRun.inSession(sessionOf[client], ++sequenceOf[client]));
      }
      run.execute(run.entry(millisPerEntry, requests));
    }
  }

  private static int wholeEntries(int requests) {
    return (requests + BATCH - 1) / BATCH * BATCH;
  }

  private Meter round(int requests) {
    Meter meter = new Meter();
    List<byte[]> prepared = new ArrayList<>(PREPARED_ENTRIES);
    int entries = wholeEntries(requests) / BATCH;
    for (int done = 0; done < entries; done += PREPARED_ENTRIES) {
      prepared.clear();
      for (int i = 0; i < Math.min(PREPARED_ENTRIES, entries - done); i++) {
        prepared.add(nextEntry());
      }
      meter.start();
      for (int i = 0; i < prepared.size(); i++) {
        run.execute(prepared.get(i));
      }
      meter.stop();
    }
    return meter;
  }

  private byte[] nextEntry() {
    List<Request> requests = new ArrayList<>(BATCH);
    for (int i = 0; i < BATCH; i++) {
      int client = random.nextInt(sessionOf.length);
      requests.add(ReplicaRun.inSession(sessionOf[client], ++sequenceOf[client]));
    }
    return run.entry(millisPerEntry, requests);
  }
}
