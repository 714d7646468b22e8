package io.onceward.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.Service;
import io.onceward.services.LeaseCommand.Acquire;
import io.onceward.services.LeaseCommand.Get;
import io.onceward.services.LeaseCommand.Release;
import io.onceward.services.LeaseCommand.Renew;
import io.onceward.services.LeaseReply.Free;
import io.onceward.services.LeaseReply.Granted;
import io.onceward.services.LeaseReply.Held;
import io.onceward.services.LeaseReply.Released;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaseServiceTest extends ServiceContract {
  private static final String NOT_HELD = "lease is not held: it expired or was released";

  private final Host leases = new Host(fresh());

  @Override
  Service fresh() {
    return new LeaseService();
  }

  @Override
  Bytes draw(SplittableRandom random) {
    String name = "l" + random.nextInt(50);
    String holder = "h" + random.nextInt(3);
    long token = 1L + random.nextInt(2_000);
    long ttl = 1L + random.nextInt(2_000);
    return LeaseCommand.encode(
        switch (random.nextInt(6)) {
          case 0 -> new Renew(name, holder, token, ttl);
          case 1 -> new Release(name, holder, token);
          case 2 -> new Get(name);
          default -> new Acquire(name, holder, ttl);
        });
  }

  @Override
  int snapshotVersion() {
    return 2;
  }

  @BeforeEach
  void beginAtAThousand() {
    leases.timeMillis = 1_000;
  }

  @Test
  void leaseIsGrantedUntilItExpires() {
    assertThat(done(new Acquire("job", "ann", 500))).isEqualTo(new Granted(1, 1_500));
    assertThat(told(new Get("job"))).isEqualTo(new Held("ann", 1, 1_500));
    leases.timeMillis = 1_499;
    assertThat(told(new Get("job"))).isEqualTo(new Held("ann", 1, 1_500));
    leases.timeMillis = 1_500;
    assertThat(told(new Get("job"))).isEqualTo(new Free());
    assertThat(done(new Acquire("job", "bob", 500))).isEqualTo(new Granted(2, 2_000));
  }

  @Test
  void heldLeaseIsRefusedByHolderAndExpiry() {
    done(new Acquire("job", "ann", 500));
    String held = "lease is held by ann until 1970-01-01T00:00:01.500Z";
    assertThat(refused(new Acquire("job", "bob", 500))).isEqualTo(held);
    assertThat(refused(new Acquire("job", "ann", 500))).isEqualTo(held);
    leases.timeMillis = 1_499;
    assertThat(refused(new Acquire("job", "bob", 500))).isEqualTo(held);
    assertThat(refused(new Renew("job", "bob", 1, 500))).isEqualTo(held);
    assertThat(refused(new Release("job", "bob", 1))).isEqualTo(held);
  }

  @Test
  void renewingMovesTheExpiryAndKeepsTheToken() {
    done(new Acquire("job", "ann", 500));
    leases.timeMillis = 1_400;
    assertThat(done(new Renew("job", "ann", 1, 500))).isEqualTo(new Granted(1, 1_900));
    leases.timeMillis = 1_899;
    assertThat(told(new Get("job"))).isEqualTo(new Held("ann", 1, 1_900));
    leases.timeMillis = 1_900;
    assertThat(refused(new Renew("job", "ann", 1, 500))).isEqualTo(NOT_HELD);
    assertThat(told(new Get("job"))).isEqualTo(new Free());
  }

  @Test
  void releasedLeaseIsFree() {
    done(new Acquire("job", "ann", 500));
    assertThat(done(new Release("job", "ann", 1))).isEqualTo(new Released());
    assertThat(told(new Get("job"))).isEqualTo(new Free());
    assertThat(refused(new Release("job", "ann", 1))).isEqualTo(NOT_HELD);
    assertThat(done(new Acquire("job", "bob", 500))).isEqualTo(new Granted(2, 1_500));
  }

  @Test
  void formerTokenOfTheSameHolderIsRefused() {
    done(new Acquire("job", "ann", 500));
    leases.timeMillis = 2_000;
    done(new Acquire("job", "ann", 500));
    assertThat(refused(new Renew("job", "ann", 1, 500))).isEqualTo("token is 2, got 1");
    assertThat(refused(new Release("job", "ann", 1))).isEqualTo("token is 2, got 1");
  }

  @Test
  void laterGrantHasTheGreaterToken() {
    long last = 0;
    for (int i = 0; i < 100; i++) {
      leases.timeMillis += 10;
      Granted granted = (Granted) done(new Acquire("job" + i % 7, "ann", 5));
      assertThat(granted.token()).isGreaterThan(last);
      last = granted.token();
    }
  }

  @Test
  void tokensGoOnAfterARestore() {
    done(new Acquire("job", "ann", 500));
    done(new Release("job", "ann", 1));
    Host successor = leases.successor(fresh());
    assertThat(
            LeaseReply.decode(successor.done(LeaseCommand.encode(new Acquire("job", "ann", 500)))))
        .isEqualTo(new Granted(2, 1_500));
  }

  @Test
  void expiredLeasesTakeNoRoom() {
    for (int i = 0; i < 1_000; i++) {
      done(new Acquire("job" + i, "ann", 500));
    }
    int full = leases.snapshot().length;
    leases.timeMillis = 1_500;
    done(new Get("job0"));
    assertThat(leases.snapshot()).hasSizeLessThan(full / 100);
  }

  @Test
  void expiryIsKnownAfterARestore() {
    done(new Acquire("job", "ann", 500));
    done(new Acquire("other", "ann", 900));
    Host successor = leases.successor(fresh());
    successor.timeMillis = 1_500;
    leases.timeMillis = 1_500;
    Bytes get = LeaseCommand.encode(new Get("x"));
    successor.done(get);
    leases.done(get);
    assertThat(successor.snapshot()).isEqualTo(leases.snapshot());
    assertThat(LeaseReply.decode(successor.told(LeaseCommand.encode(new Get("job")))))
        .isEqualTo(new Free());
  }

  @Test
  void clockThatJumpsAYearEndsNoLease() {
    done(new Acquire("job", "ann", 500));
    leases.jump(366L * 24 * 60 * 60 * 1000);
    assertThat(told(new Get("job"))).isEqualTo(new Held("ann", 1, 1_500));
    assertThat(refused(new Acquire("job", "bob", 500))).contains("held by ann");
  }

  @Test
  void leaseEndsWhileLogTimeStandsStill() {
    leases.jump(366L * 24 * 60 * 60 * 1000);
    done(new Acquire("job", "ann", 500));
    leases.jumpedMillis -= 499;
    assertThat(refused(new Acquire("job", "bob", 500))).contains("held by ann");
    leases.jumpedMillis -= 1;
    assertThat(told(new Get("job"))).isEqualTo(new Free());
    assertThat(done(new Acquire("job", "bob", 500))).isInstanceOf(Granted.class);
  }

  @Test
  void expiryBeyondAllTimeIsTheEndOfTime() {
    leases.timeMillis = Long.MAX_VALUE - 1;
    assertThat(done(new Acquire("job", "ann", 500))).isEqualTo(new Granted(1, Long.MAX_VALUE));
    assertThat(refused(new Acquire("job", "ann", 500))).contains("held by ann until +29227");
  }

  @Test
  void whatChangesSomethingIsNoQuery() {
    assertThat(Host.error(leases.query(LeaseCommand.encode(new Acquire("job", "ann", 500)))))
        .isEqualTo("this changes a lease: send it as a command, not as a query");
    assertThat(told(new Get("job"))).isEqualTo(new Free());
  }

  @ParameterizedTest
  @CsvSource({
    "05, 0, command 5 is unknown; 1 to 4 are allowed",
    "0101610000, 3, length of holder is 0; allowed are 1 to 1024",
    "010161016200, 5, ttl is 0; allowed are 1 to 31622400000",
    "0101610162ffffffffffff01, 5, ttl is 8796093022207; allowed are 1 to 31622400000",
    "020161016200, 5, token is 0; allowed are 1 to 9223372036854775807",
    "030161016201ff, 6, 1 bytes follow the end"
  })
  void malformedCommandsAreRefusedByPlaceAndReason(String hex, int offset, String reason) {
    assertThat(leases.refused(Bytes.of(HexFormat.of().parseHex(hex))))
        .isEqualTo("malformed command, byte " + offset + ": " + reason);
  }

  @Test
  void clientCannotEvenSayWhatIsOverALimit() {
    assertThatThrownBy(() -> new Acquire("job", "x".repeat(1_025), 1))
        .hasMessage("holder has 1025 bytes; allowed are 1 to 1024");
    assertThatThrownBy(() -> new Acquire("job", "ann", ServiceLimits.LEASE_MILLIS + 1))
        .hasMessage("ttl is 31622400001; allowed are 1 to 31622400000");
    assertThatThrownBy(() -> new Renew("job", "ann", 0, 1))
        .hasMessage("token is 0; allowed are 1 to 9223372036854775807");
    assertThatThrownBy(() -> new Release("", "ann", 1))
        .hasMessage("name has 0 bytes; allowed are 1 to 1024");
  }

  @Test
  void layoutsAreAsDocumented() {
    assertThat(hex(new Acquire("n", "h", 300))).isEqualTo("01" + "016e" + "0168" + "ac02");
    assertThat(hex(new Renew("n", "h", 5, 300))).isEqualTo("02" + "016e" + "0168" + "05" + "ac02");
    assertThat(hex(new Release("n", "h", 5))).isEqualTo("03" + "016e" + "0168" + "05");
    assertThat(hex(new Get("n"))).isEqualTo("04" + "016e");
    assertReply(new Granted(300, 1), "01" + "ac02" + "0000000000000001");
    assertReply(new Released(), "02");
    assertReply(new Held("h", 300, 1), "03" + "0168" + "ac02" + "0000000000000001");
    assertReply(new Free(), "04");
  }

  private static void assertReply(LeaseReply reply, String hex) {
    Bytes encoded = LeaseReply.encode(reply);
    assertThat(HexFormat.of().formatHex(encoded.toArray())).isEqualTo(hex);
    assertThat(LeaseReply.decode(encoded)).isEqualTo(reply);
  }

  private static String hex(LeaseCommand command) {
    Bytes encoded = LeaseCommand.encode(command);
    assertThat(LeaseCommand.decode(encoded)).isEqualTo(command);
    return HexFormat.of().formatHex(encoded.toArray());
  }

  private LeaseReply done(LeaseCommand command) {
    return LeaseReply.decode(leases.done(LeaseCommand.encode(command)));
  }

  private LeaseReply told(LeaseCommand command) {
    return LeaseReply.decode(leases.told(LeaseCommand.encode(command)));
  }

  private String refused(LeaseCommand command) {
    return leases.refused(LeaseCommand.encode(command));
  }
}
