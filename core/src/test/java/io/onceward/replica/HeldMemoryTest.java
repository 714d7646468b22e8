package io.onceward.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Frozen;
import io.onceward.Key;
import io.onceward.Outcome;
import io.onceward.Scope;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A few survivors in many pages: the memory that is held stays within a small factor of what is
 * accounted (K6), and nobody notices that anything moves.
 */
class HeldMemoryTest {
  private static final long MEGABYTE = 1 << 20;
  private static final int BATCH = 500;
  private static final int SURVIVOR = 300;

  private final Replica replica = new Replica(new TextService(), 5);
  private final List<Decision> decisions = new ArrayList<>();
  private long position;

  @Test
  void fewSessionsThatStayHoldLittleMemory() throws IOException {
    int count = 90_000;
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean named = i % 3 == 0;
      requests.add(
          new Request.Open(
              named ? ClientKind.DURABLE : ClientKind.REGISTERED,
              named ? "client number " + i : "",
              i,
              1,
              0,
              0,
              false,
              true,
              16));
    }
    applyAll(requests);
    List<Decision.Opened> opened = new ArrayList<>();
    decisions.forEach(each -> opened.add((Decision.Opened) each));
    // Two replies each, so that there are rings; their pages interleave all sessions.
    for (int sequence = 1; sequence <= 2; sequence++) {
      for (Decision.Opened session : opened) {
        requests.add(new Request.InSession(address(session), sequence, 1, null, text("big 150")));
      }
    }
    applyAll(requests);
    long full = replica.heldBytes();
    assertThat(full).isGreaterThan(40 * MEGABYTE);
    byte[] snapshot = bytes(replica.freeze());
    Frozen frozen = replica.freeze();
    List<Decision.Opened> survivors = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (i % SURVIVOR < 2) {
        survivors.add(opened.get(i));
      } else {
        requests.add(new Request.Close(address(opened.get(i))));
      }
    }
    applyAll(requests);
    tick(10);
    assertThat(replica.tableBytes()).isLessThan(MEGABYTE);
    assertThat(replica.heldBytes()).isLessThan(12 * MEGABYTE);
    assertThat(bytes(frozen)).isEqualTo(snapshot);
    for (Decision.Opened session : survivors) {
      Outcome outcome = replica.outcome("anonymous", address(session), 2);
      assertThat(((Outcome.Executed) outcome).reply().bytes().length()).isEqualTo(150);
      requests.add(new Request.InSession(address(session), 3, 3, null, text("fine")));
    }
    Replica restored = restored(replica.freeze());
    assertThat(restored.digest()).isEqualTo(replica.digest());
    applyAll(requests);
    assertThat(decisions).allMatch(Decision.Replied.class::isInstance);
    // Expiry and closing find every session where it stands now.
    for (Decision.Opened session : survivors.subList(0, 100)) {
      requests.add(new Request.Close(address(session)));
    }
    applyAll(requests);
    assertThat(decisions).containsOnly(new Decision.Done());
    assertThat(replica.sessionCount()).isEqualTo(survivors.size() - 100);
  }

  @Test
  void fewRepliesThatStayHoldLittleMemory() throws IOException {
    int count = 150_000;
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      requests.add(
          new Request.Keyed(Scope.NONE, Key.dated(1_000 + i, i), null, List.of(), text("big 300")));
    }
    applyAll(requests);
    assertThat(replica.heldBytes()).isGreaterThan(40 * MEGABYTE);
    byte[] snapshot = bytes(replica.freeze());
    Frozen frozen = replica.freeze();
    for (int i = 0; i < count; i++) {
      if (i % SURVIVOR != 0) {
        requests.add(new Request.Acknowledge(Scope.NONE, List.of(Key.dated(1_000 + i, i))));
      }
    }
    applyAll(requests);
    tick(100);
    assertThat(replica.heldBytes()).isLessThan(2 * replica.tableBytes() + 8 * MEGABYTE);
    assertThat(bytes(frozen)).isEqualTo(snapshot);
    for (int i = 0; i < count; i += SURVIVOR) {
      Outcome outcome = replica.outcome("anonymous", Scope.NONE, Key.dated(1_000 + i, i));
      assertThat(((Outcome.Executed) outcome).reply().bytes().length()).isEqualTo(300);
    }
    assertThat(restored(replica.freeze()).digest()).isEqualTo(replica.digest());
  }

  private static Request.Address address(Decision.Opened opened) {
    return new Request.Address(0, opened.session(), opened.incarnation());
  }

  private static Bytes text(String text) {
    return Bytes.utf8(text);
  }

  /** Applies and takes away all requests; only their decisions are kept. */
  private void applyAll(List<Request> requests) {
    decisions.clear();
    for (int from = 0; from < requests.size(); from += BATCH) {
      apply(requests.subList(from, Math.min(from + BATCH, requests.size())));
    }
    requests.clear();
  }

  private void tick(int entries) {
    for (int i = 0; i < entries; i++) {
      apply(List.of(new Request.Tick()));
    }
  }

  private void apply(List<Request> batch) {
    List<LogEntry.Proposal> proposals = new ArrayList<>();
    batch.forEach(request -> proposals.add(new LogEntry.Proposal("anonymous", request)));
    byte[] entry = new LogEntry(0, 1_000, proposals).encode();
    replica.apply(++position, 1, entry, (ordinal, decision) -> decisions.add(decision));
  }

  private static byte[] bytes(Frozen frozen) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    frozen.writeTo(out);
    return out.toByteArray();
  }

  private static Replica restored(Frozen frozen) throws IOException {
    return Replica.restore(new TextService(), 9, new ByteArrayInputStream(bytes(frozen)));
  }
}
