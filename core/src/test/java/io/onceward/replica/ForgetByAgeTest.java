package io.onceward.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What a forget by age drops, beside the age at which this test saw each key arrive (K4, T3). */
class ForgetByAgeTest {
  private static final long YEAR = 365L * 24 * 3_600_000;
  private static final long INTERVAL = 600_000;
  private static final long STEP = 256;

  private record Arrived(long age, long retentionMillis) {
    boolean isOlderThan(long bound) {
      return Math.floorDiv(age + retentionMillis, STEP)
          < Math.floorDiv(bound + retentionMillis, STEP);
    }
  }

  private final Replica replica = new Replica(new TextService());
  private final List<Arrived> arrived = new ArrayList<>();
  private long position;
  private long stampMillis = 1_000_000;

  private List<Decision> apply(List<Request> requests) {
    List<LogEntry.Proposal> proposals =
        requests.stream().map(request -> new LogEntry.Proposal("alice", request)).toList();
    List<Decision> decisions = new ArrayList<>();
    byte[] entry = new LogEntry(0, stampMillis, proposals).encode();
    replica.apply(++position, 1, entry, (ordinal, decision) -> decisions.add(decision));
    return decisions;
  }

  private Decision apply(Request request) {
    return apply(List.of(request)).get(0);
  }

  private void set(Parameter parameter, long value) {
    assertThat(apply(new Request.SetParameter(parameter, value))).isEqualTo(new Decision.Done());
  }

  private static Scope scope(int number) {
    return new Scope("scope" + number);
  }

  private void arrive(int scope, int count, long retentionMillis) {
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Key key = Key.text("key" + arrived.size() + "/" + i);
      requests.add(new Request.Keyed(scope(scope), key, null, List.of(), Bytes.utf8("x")));
    }
    apply(requests).forEach(each -> assertThat(each).isInstanceOf(Decision.Replied.class));
    for (int i = 0; i < count; i++) {
      arrived.add(new Arrived(replica.ageMillis(), retentionMillis));
    }
  }

  private long older(long bound) {
    return arrived.stream().filter(each -> each.isOlderThan(bound)).count();
  }

  /** Many chunks in several classes, scopes that change their class, and a clock that jumps. */
  @Test
  void countAndForgetAgreeWithArrivalAges() {
    SplittableRandom random = new SplittableRandom(7);
    set(Parameter.KEEP_ALIVE_MILLIS, INTERVAL);
    long[] retentions = {8 * INTERVAL * 1_000, 9 * INTERVAL * 1_000 + 77, 10 * INTERVAL * 1_000};
    long[] retentionOf = new long[4];
    for (int round = 0; round < 400; round++) {
      int scope = random.nextInt(retentionOf.length);
      if (retentionOf[scope] == 0 || random.nextInt(10) == 0) {
        retentionOf[scope] = retentions[random.nextInt(retentions.length)];
        apply(new Request.SetScope(scope(scope), retentionOf[scope], false));
      }
      stampMillis += random.nextInt(50) == 0 ? YEAR : random.nextLong(2 * INTERVAL);
      stampMillis -= random.nextInt(50) == 0 ? YEAR : 0;
      arrive(scope, 1 + random.nextInt(100), retentionOf[scope]);
      long age = replica.ageMillis();
      long bound = random.nextLong(-INTERVAL, age + INTERVAL);
      assertThat(replica.countByAge(bound))
          .as("bound %s of %s", bound, age)
          .isEqualTo(older(bound));
      if (round % 20 == 19) {
        long allowed = Math.min(bound, age - INTERVAL);
        long expected = older(allowed);
        assertThat(apply(new Request.ForgetByAge(allowed)))
            .isEqualTo(new Decision.Forgot(expected));
        arrived.removeIf(each -> each.isOlderThan(allowed));
        assertThat(replica.countByAge(allowed)).isZero();
        assertThat(replica.countByAge(Long.MAX_VALUE)).isEqualTo(arrived.size());
      }
    }
    assertThat(replica.ageMillis()).isGreaterThan(100 * INTERVAL);
  }

  @Test
  void extremeBoundsDoNotWrap() {
    arrive(1, 3, 24 * 3_600_000L);
    assertThat(replica.countByAge(Long.MAX_VALUE)).isEqualTo(3);
    assertThat(replica.countByAge(Long.MIN_VALUE)).isZero();
    assertThat(apply(new Request.ForgetByAge(Long.MIN_VALUE))).isEqualTo(new Decision.Forgot(0));
    assertThat(apply(new Request.ForgetByAge(Long.MAX_VALUE)))
        .isInstanceOf(Decision.Rejected.class);
    assertThat(replica.countByAge(Long.MAX_VALUE)).isEqualTo(3);
  }

  @Test
  void latestAllowedBoundIsTenMinutesOfAgeAgo() {
    set(Parameter.KEEP_ALIVE_MILLIS, INTERVAL);
    stampMillis += 2 * INTERVAL;
    apply(new Request.Tick());
    long age = replica.ageMillis();
    assertThat(age).isEqualTo(2 * INTERVAL);
    assertThat(apply(new Request.ForgetByAge(age - INTERVAL + 1)))
        .isEqualTo(
            new Decision.Rejected(
                "keys of the last ten minutes cannot be forgotten; the latest bound allowed now is"
                    + " an age of 600000 ms"));
    assertThat(apply(new Request.ForgetByAge(age - INTERVAL))).isEqualTo(new Decision.Forgot(0));
  }
}
