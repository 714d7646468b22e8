package io.onceward.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What holds for every service that ships; a test class per service says how to draw commands. */
abstract class ServiceContract {
  private static final int COMMANDS = 5_000;

  abstract Service fresh();

  /** A command that may or may not succeed, over few enough names that commands meet. */
  abstract Bytes draw(SplittableRandom random);

  /** So much does not hold all that is drawn. */
  long stateLimit() {
    return 6_000;
  }

  int snapshotVersion() {
    return 1;
  }

  @Test
  void sameCommandsGiveSameRepliesAndSameSnapshot() {
    assertThat(life(new Host(fresh()), 1)).isEqualTo(life(new Host(fresh()), 1));
    Host one = new Host(fresh());
    Host other = new Host(fresh());
    life(one, 2);
    life(other, 2);
    assertThat(one.snapshot()).isEqualTo(other.snapshot());
  }

  @Test
  void snapshotAndLaterCommandsEqualTheFullReplay() {
    Host whole = new Host(fresh());
    life(whole, 3);
    Host restored = whole.successor(fresh());
    assertThat(restored.snapshot()).isEqualTo(whole.snapshot());
    assertThat(life(restored, 4)).isEqualTo(life(whole, 4));
    assertThat(restored.snapshot()).isEqualTo(whole.snapshot());
  }

  /** Whether a reply says that there is no room, of a service that shares out what is left. */
  boolean isRefusedForRoom(Reply reply) {
    return false;
  }

  /** What is asked beforehand is what happens: a limit that is kept to is never passed (B5). */
  @Test
  void stateNeverOutgrowsWhatWasLeft() {
    long limit = stateLimit();
    Host host = new Host(fresh());
    SplittableRandom random = new SplittableRandom(11);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      host.timeMillis += random.nextInt(20);
      Bytes command = draw(random);
      long before = host.service.stateBytes();
      if (host.obstacle(command, limit - before).isEmpty()) {
        refused += isRefusedForRoom(host.execute(command)) ? 1 : 0;
        assertThat(host.service.stateBytes()).isBetween(0L, limit);
      } else {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(100);
    Host restored = host.successor(fresh());
    assertThat(restored.service.stateBytes()).isEqualTo(host.service.stateBytes()).isPositive();
  }

  @Test
  void fullStateRefusesNothingThatDoesNotGrow() {
    Host host = new Host(fresh());
    SplittableRandom random = new SplittableRandom(12);
    int grown = 0;
    for (int i = 0; i < 5_000; i++) {
      Bytes command = draw(random);
      boolean refused = !host.obstacle(command, 0).isEmpty();
      long before = host.service.stateBytes();
      host.execute(command);
      long after = host.service.stateBytes();
      assertThat(refused).as("grew from %s to %s", before, after).isEqualTo(after > before);
      grown += refused ? 1 : 0;
    }
    assertThat(grown).isGreaterThan(30);
  }

  @Test
  void restoringReplacesWhatWasThere() {
    Host empty = new Host(fresh());
    byte[] nothing = empty.snapshot();
    Host used = new Host(fresh());
    life(used, 5);
    assertThat(used.snapshot()).isNotEqualTo(nothing);
    used.restore(nothing);
    assertThat(used.snapshot()).isEqualTo(nothing);
    empty.timeMillis = used.timeMillis;
    assertThat(life(used, 6)).isEqualTo(life(empty, 6));
  }

  @Test
  void frozenStateStandsStillWhileCommandsExecute() {
    Host host = new Host(fresh());
    life(host, 7);
    byte[] expected = host.snapshot();
    List<Frozen> frozen = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      frozen.add(host.service.freeze());
    }
    life(host, 8);
    assertThat(host.snapshot()).isNotEqualTo(expected);
    for (Frozen each : frozen) {
      assertThat(Host.write(each)).isEqualTo(expected);
    }
  }

  /** An exception would be remembered as FAILED, which says much less. */
  @Test
  void anyBytesAreAnsweredAndMalformedOnesChangeNothing() {
    SplittableRandom random = new SplittableRandom(9);
    Host host = new Host(fresh());
    life(host, 9);
    int malformed = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] payload = draw(random).toArray();
      if (random.nextBoolean()) {
        payload = Arrays.copyOf(payload, random.nextInt(payload.length + 3));
      } else {
        payload[random.nextInt(payload.length)] ^= (byte) (1 << random.nextInt(8));
      }
      Reply queried = host.query(Bytes.of(payload));
      byte[] before = i % 50 == 0 ? host.snapshot() : null;
      Reply reply = host.execute(Bytes.of(payload));
      if (reply.kind() == Reply.Kind.BUSINESS_ERROR
          && reply.bytes().asText().startsWith("malformed command, byte ")) {
        malformed++;
        assertThat(queried).isEqualTo(reply);
        if (before != null) {
          assertThat(host.snapshot()).isEqualTo(before);
        }
      }
    }
    assertThat(malformed).isGreaterThan(1_000);
  }

  @Test
  void damagedStateIsAnIOExceptionOrAnotherState() {
    Host host = new Host(fresh());
    life(host, 10);
    byte[] state = host.snapshot();
    for (int length = 0; length < Math.min(state.length, 2_000); length++) {
      byte[] cut = Arrays.copyOf(state, length);
      assertThatThrownBy(() -> fresh().restore(new ByteArrayInputStream(cut)))
          .isInstanceOf(IOException.class);
    }
    byte[] longer = Arrays.copyOf(state, state.length + 1);
    assertThatThrownBy(() -> fresh().restore(new ByteArrayInputStream(longer)))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith("goes on behind its end");
    for (int change : new int[] {-1, 1}) {
      byte[] other = state.clone();
      other[0] += (byte) change;
      assertThatThrownBy(() -> fresh().restore(new ByteArrayInputStream(other)))
          .isInstanceOf(IOException.class)
          .hasMessageEndingWith(
              "has version %d; this build reads version %d",
              snapshotVersion() + change, snapshotVersion());
    }
  }

  private List<Reply> life(Host host, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Reply> replies = new ArrayList<>();
    for (int i = 0; i < COMMANDS; i++) {
      host.timeMillis += random.nextInt(20);
      replies.add(host.execute(draw(random)));
    }
    return replies;
  }
}
