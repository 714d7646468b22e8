package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Clients choose every bit of their ids, and still cannot choose where these are looked for. */
class SeededHashTest {
  private static final long FIRST_FACTOR = 0x9E3779B97F4A7C15L;
  private static final int MANY = 20_000;
  private static final int PLACES = 1 << 12;

  private final SeededHash hash = new SeededHash(11, 12);

  private int hashOf(Request request) {
    Twin twin = Twin.of(hash, "alice", request, Bytes.of(RequestCodec.encode(request)));
    return twin == null ? 0 : twin.hashCode();
  }

  private static int mostInOnePlace(List<Integer> hashes) {
    int[] places = new int[PLACES];
    int most = 0;
    for (int hash : hashes) {
      most = Math.max(most, ++places[(hash ^ hash >>> 16) & (PLACES - 1)]);
    }
    return most;
  }

  @Test
  void sequencesThatCollidedWithoutASeedSpread() {
    List<Integer> hashes = new ArrayList<>();
    for (long session = 1; hashes.size() < MANY; session++) {
      // The sum session * factor + sequence is the same for all: an earlier hash saw nothing else.
      long sequence = -session * FIRST_FACTOR;
      Request.Address address = new Request.Address(1, session, session);
      if (sequence > 0) {
        hashes.add(hashOf(new Request.InSession(address, sequence, 1, null, Bytes.EMPTY)));
      }
    }
    assertThat(mostInOnePlace(hashes)).isLessThan(40);
  }

  @Test
  void keysThatCollideInJavaSpread() {
    List<Integer> plain = new ArrayList<>();
    List<Integer> hashes = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      long half = (long) i << 32 | i;
      Key key = Key.of(Key.Kind.HASH, half, half);
      plain.add(key.hashCode());
      hashes.add(hashOf(new Request.Keyed(Scope.NONE, key, null, List.of(), Bytes.EMPTY)));
    }
    assertThat(mostInOnePlace(plain)).as("the attack works on an unseeded hash").isEqualTo(MANY);
    assertThat(mostInOnePlace(hashes)).isLessThan(40);
  }

  @Test
  void fingerprintsOfOneIdSpread() {
    List<Integer> hashes = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      Fingerprint fingerprint = new Fingerprint((long) i << 32 | i);
      hashes.add(
          hashOf(
              new Request.Keyed(Scope.NONE, Key.text("k"), fingerprint, List.of(), Bytes.EMPTY)));
    }
    assertThat(mostInOnePlace(hashes)).isLessThan(40);
  }

  @Test
  void framesSpread() {
    SplittableRandom random = new SplittableRandom(1);
    List<Integer> hashes = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      Key key = Key.of(Key.Kind.UUID, random.nextLong() & 0xff, i);
      hashes.add(hashOf(new Request.AbandonKey(Scope.NONE, key)));
    }
    assertThat(mostInOnePlace(hashes)).isLessThan(40);
  }

  @Test
  void nodesHashDifferently() {
    Set<Integer> hashes = new HashSet<>();
    for (int seed = 0; seed < 100; seed++) {
      hashes.add(new SeededHash(seed, 0).add(1).end());
      hashes.add(new SeededHash(0, seed + 1L).add(1).end());
    }
    assertThat(hashes).hasSizeGreaterThan(195);
  }

  @Test
  void bordersAndLengthsCount() {
    assertThat(hash.add("ab").add("c").end()).isNotEqualTo(hash.add("a").add("bc").end());
    assertThat(hash.add(Bytes.utf8("12345678")).end())
        .isNotEqualTo(hash.add(Bytes.utf8("12345678\0")).end());
    assertThat(hash.add((Fingerprint) null).add(1).end())
        .isNotEqualTo(hash.add(new Fingerprint(1)).end());
    assertThat(hash.add("text").end()).isEqualTo(hash.add("text").end());
  }
}
