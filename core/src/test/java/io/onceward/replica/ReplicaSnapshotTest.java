package io.onceward.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.DamagedException;
import io.onceward.Decision;
import io.onceward.Frozen;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicaSnapshotTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aSnapshotAndLaterEntriesEqualTheFullReplay(long seed) throws IOException {
    RandomTraffic traffic = new RandomTraffic(seed);
    Replica whole = new Replica(new TextService(), 1);
    Replica restored = new Replica(new TextService(), 2);
    for (int i = 0; i < 1_500; i++) {
      byte[] entry = traffic.next();
      List<Decision> expected = new ArrayList<>();
      List<Decision> actual = new ArrayList<>();
      whole.apply(
          traffic.position(),
          traffic.term(),
          entry,
          (ordinal, decision) -> {
            traffic.decided(ordinal, decision);
            expected.add(decision);
          });
      restored.apply(
          traffic.position(), traffic.term(), entry, (ordinal, decision) -> actual.add(decision));
      assertThat(actual).isEqualTo(expected);
      assertThat(restored.tableBytes()).isEqualTo(whole.tableBytes());
      if (i % 97 == 0) {
        assertThat(restored.digest()).isEqualTo(whole.digest());
        byte[] snapshot = bytes(whole.freeze());
        restored = Replica.restore(new TextService(), seed * i, new ByteArrayInputStream(snapshot));
        assertThat(bytes(restored.freeze())).isEqualTo(snapshot);
        assertThat(restored.tableBytes()).isEqualTo(whole.tableBytes());
      }
    }
    assertThat(restored.digest()).isEqualTo(whole.digest());
  }

  @Test
  void aFrozenReplicaStandsStillWhileApplyingGoesOn() throws IOException {
    RandomTraffic traffic = new RandomTraffic(99);
    Replica replica = new Replica(new TextService());
    for (int round = 0; round < 12; round++) {
      Frozen frozen = replica.freeze();
      byte[] atOnce = bytes(replica.freeze());
      for (int i = 0; i < 150; i++) {
        replica.apply(advance(traffic), traffic.term(), last, traffic::decided);
      }
      assertThat(bytes(frozen)).isEqualTo(atOnce);
    }
  }

  private byte[] last = new byte[0];

  private long advance(RandomTraffic traffic) {
    last = traffic.next();
    return traffic.position();
  }

  @Test
  void everyFlippedBitOfASnapshotIsNoticed() throws IOException {
    byte[] sound = small();
    for (int bit = 0; bit < sound.length * 8; bit++) {
      byte[] damaged = sound.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> restore(damaged)).isInstanceOf(DamagedException.class);
    }
  }

  @Test
  void everyTruncatedSnapshotIsNoticed() throws IOException {
    byte[] sound = small();
    for (int length = 0; length < sound.length; length++) {
      byte[] cut = java.util.Arrays.copyOf(sound, length);
      assertThatThrownBy(() -> restore(cut)).isInstanceOf(DamagedException.class);
    }
  }

  private static byte[] small() throws IOException {
    RandomTraffic traffic = new RandomTraffic(5);
    Replica replica = new Replica(new TextService());
    for (int i = 0; i < 12; i++) {
      byte[] entry = traffic.next();
      replica.apply(traffic.position(), traffic.term(), entry, traffic::decided);
    }
    return bytes(replica.freeze());
  }

  private static Replica restore(byte[] snapshot) throws IOException {
    return Replica.restore(new TextService(), new ByteArrayInputStream(snapshot));
  }

  private static byte[] bytes(Frozen frozen) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    frozen.writeTo(out);
    return out.toByteArray();
  }
}
