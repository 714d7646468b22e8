package io.onceward.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.replica.Replica.SessionView;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A page of sessions costs what is on it, however many sessions there are (L2). */
class SessionOrderTest {
  private final SessionOrder order = new SessionOrder();
  private final TreeSet<Long> expected = new TreeSet<>();

  private List<Long> visited(long after, int most) {
    List<Long> visited = new ArrayList<>();
    order.visit(after, most, visited::add);
    return visited;
  }

  @Test
  void pageVisitsItsOwnSessionsAndNoOther() {
    int sessions = 1_000_000;
    for (long session = 1; session <= sessions; session++) {
      order.add(session * 3);
    }
    assertThat(visited(0, 0)).isEmpty();
    assertThat(visited(0, 10)).hasSize(10).startsWith(3L).endsWith(30L);
    assertThat(visited(1_500_000, 1_000)).hasSize(1_000).startsWith(1_500_003L);
    assertThat(visited(1_500_001, 2)).containsExactly(1_500_003L, 1_500_006L);
    assertThat(visited(3L * sessions - 3, 1_000)).containsExactly(3L * sessions);
    assertThat(visited(3L * sessions, 1_000)).isEmpty();
    assertThat(visited(Long.MAX_VALUE, 1_000)).isEmpty();
  }

  @Test
  void orderIsKeptWhileSessionsComeAndGo() {
    SplittableRandom random = new SplittableRandom(5);
    long next = 0;
    for (int i = 0; i < 100_000; i++) {
      // It grows for a while, then shrinks nearly to nothing, several times.
      boolean grows = random.nextInt(10) < (i / 20_000 % 2 == 0 ? 7 : 3);
      if (grows || expected.isEmpty()) {
        next += 1 + random.nextInt(5);
        order.add(next);
        expected.add(next);
      } else {
        Long gone = expected.ceiling(random.nextLong(next + 1));
        gone = gone == null ? expected.first() : gone;
        order.remove(gone);
        expected.remove(gone);
      }
      if (i % 1_000 == 0) {
        long after = random.nextLong(next + 1);
        assertThat(visited(after, 700))
            .isEqualTo(expected.tailSet(after, false).stream().limit(700).toList());
        assertThat(order.chunks())
            .as("they stay half full")
            .isLessThanOrEqualTo(2 * expected.size() / SessionOrder.CHUNK + 2);
      }
    }
    assertThat(visited(0, Integer.MAX_VALUE)).isEqualTo(List.copyOf(expected));
  }

  @Test
  void brokenPromisesAreNoticed() {
    order.add(5);
    assertThatThrownBy(() -> order.add(5)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> order.remove(4)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> order.remove(6)).isInstanceOf(IllegalStateException.class);
    order.remove(5);
    assertThatThrownBy(() -> order.remove(5)).isInstanceOf(IllegalStateException.class);
  }

  /** Through opening, closing, expiry, moves between pages, and a restore. */
  @Test
  void replicaListsItsSessionsInPages() throws IOException {
    Replica replica = new Replica(new TextService());
    List<Long> opened = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(9);
    long stamp = 1_000;
    for (int position = 1; position <= 3_000; position++) {
      stamp += 200;
      Request request =
          random.nextInt(3) == 0 && !opened.isEmpty()
              ? new Request.Close(address(opened.remove(random.nextInt(opened.size()))))
              : new Request.Open(ClientKind.REGISTERED, "", position, 7, 0, 0, false, true, 16);
      LogEntry entry = new LogEntry(0, stamp, List.of(new LogEntry.Proposal("alice", request)));
      replica.apply(
          position,
          1,
          entry.encode(),
          (ordinal, decision) -> {
            if (decision instanceof Decision.Opened o) {
              opened.add(o.session());
            }
          });
    }
    List<SessionView> all = replica.sessions();
    assertThat(all).hasSize((int) replica.sessionCount()).hasSizeBetween(300, 2_000);
    List<Long> numbers = all.stream().map(SessionView::session).toList();
    assertThat(numbers).isSorted().doesNotHaveDuplicates();
    assertThat(opened).containsAll(numbers);
    List<SessionView> inPages = new ArrayList<>();
    List<SessionView> page = replica.sessions(0, 70);
    while (!page.isEmpty()) {
      assertThat(page).hasSizeLessThanOrEqualTo(70);
      inPages.addAll(page);
      page = replica.sessions(page.get(page.size() - 1).session(), 70);
    }
    assertThat(inPages).isEqualTo(all);
    ByteArrayOutputStream snapshot = new ByteArrayOutputStream();
    replica.freeze().writeTo(snapshot);
    Replica restored =
        Replica.restore(new TextService(), 3, new ByteArrayInputStream(snapshot.toByteArray()));
    assertThat(restored.sessions()).isEqualTo(all);
  }

  private static Request.Address address(long session) {
    return new Request.Address(0, session, session);
  }
}
