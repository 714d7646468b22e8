package io.onceward.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.DamagedException;
import io.onceward.Service;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CounterServiceTest extends ServiceContract {
  private final Host counters = new Host(fresh());

  @Override
  Service fresh() {
    return new CounterService();
  }

  @Override
  Bytes draw(SplittableRandom random) {
    String name = "n" + random.nextInt(300);
    return CounterCommand.encode(
        random.nextInt(5) == 0
            ? new CounterCommand.Get(name)
            : new CounterCommand.Add(
                name, random.nextInt(10) == 0 ? random.nextLong() : random.nextInt(7) - 3));
  }

  @Test
  void addsAndTells() {
    assertThat(get("hits")).isZero();
    assertThat(add("hits", 5)).isEqualTo(5);
    assertThat(add("hits", -7)).isEqualTo(-2);
    assertThat(add("miss", 1)).isEqualTo(1);
    assertThat(get("hits")).isEqualTo(-2);
  }

  @Test
  void counterIsReadByACommandToo() {
    add("hits", 5);
    assertThat(value(counters.done(CounterCommand.encode(new CounterCommand.Get("hits")))))
        .isEqualTo(5);
  }

  @Test
  void overflowIsRefusedAndChangesNothing() {
    add("up", Long.MAX_VALUE);
    assertThat(refused("up", 1))
        .isEqualTo("counter is at 9223372036854775807; adding 1 would overflow");
    assertThat(get("up")).isEqualTo(Long.MAX_VALUE);
    add("down", Long.MIN_VALUE);
    assertThat(refused("down", -1))
        .isEqualTo("counter is at -9223372036854775808; adding -1 would overflow");
    assertThat(add("down", Long.MAX_VALUE)).isEqualTo(-1);
  }

  @Test
  void counterThatIsBackAtZeroTakesNoRoom() {
    byte[] empty = counters.snapshot();
    add("hits", 5);
    assertThat(counters.snapshot()).isNotEqualTo(empty);
    add("hits", -5);
    assertThat(counters.snapshot()).isEqualTo(empty);
    assertThat(get("hits")).isZero();
  }

  @Test
  void whatChangesSomethingIsNoQuery() {
    Bytes add = CounterCommand.encode(new CounterCommand.Add("hits", 1));
    assertThat(Host.error(counters.query(add)))
        .isEqualTo("this changes a counter: send it as a command, not as a query");
    assertThat(get("hits")).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "03, 0, command 3 is unknown; 1 to 2 are allowed",
    "0100, 1, length of name is 0; allowed are 1 to 1024",
    "018108, 1, length of name is 1025; allowed are 1 to 1024",
    "0101ff0000000000000001, 1, name is not UTF-8",
    "0103eda0800000000000000001, 1, name is not UTF-8",
    "010161, 3, '8 bytes should follow, 0 are left'",
    "020161ff, 3, 1 bytes follow the end"
  })
  void malformedCommandsAreRefusedByPlaceAndReason(String hex, int offset, String reason) {
    assertThat(counters.refused(Bytes.of(HexFormat.of().parseHex(hex))))
        .isEqualTo("malformed command, byte " + offset + ": " + reason);
  }

  @Test
  void namesMayBeAnyTextUpToTheLimit() {
    for (String name : new String[] {"ü", "\ufffd", "\ud83d\ude80", "x".repeat(1_024), "\0"}) {
      assertThat(add(name, 1)).isEqualTo(1);
      assertThat(get(name)).isEqualTo(1);
    }
    assertThatThrownBy(() -> new CounterCommand.Add("ü".repeat(513), 1))
        .hasMessage("name has 1026 bytes; allowed are 1 to 1024");
    assertThatThrownBy(() -> new CounterCommand.Get(""))
        .hasMessage("name has 0 bytes; allowed are 1 to 1024");
    assertThatThrownBy(() -> new CounterCommand.Get("a\ud83d"))
        .hasMessage("name has a lone surrogate, for which there is no UTF-8");
    assertThat(new CounterCommand.Get("€\ud83d\ude80".repeat(146)).name()).hasSize(438);
    assertThatThrownBy(() -> new CounterCommand.Get("€\ud83d\ude80".repeat(147)))
        .hasMessage("name has 1029 bytes; allowed are 1 to 1024");
  }

  @Test
  void layoutsAreAsDocumented() {
    assertThat(hex(new CounterCommand.Add("hi", -2)))
        .isEqualTo("01" + "026869" + "fffffffffffffffe");
    assertThat(hex(new CounterCommand.Get("hi"))).isEqualTo("02" + "026869");
    Bytes reply = CounterReply.encode(new CounterReply(-2));
    assertThat(HexFormat.of().formatHex(reply.toArray())).isEqualTo("01" + "fffffffffffffffe");
    assertThat(value(reply)).isEqualTo(-2);
    assertThatThrownBy(() -> CounterReply.decode(Bytes.of(new byte[] {2})))
        .isInstanceOf(DamagedException.class)
        .hasMessage("counter reply is damaged at byte 0: reply 2 is unknown; 1 to 1 are allowed");
  }

  private static String hex(CounterCommand command) {
    Bytes encoded = CounterCommand.encode(command);
    assertThat(CounterCommand.decode(encoded)).isEqualTo(command);
    return HexFormat.of().formatHex(encoded.toArray());
  }

  private long add(String name, long amount) {
    return value(counters.done(CounterCommand.encode(new CounterCommand.Add(name, amount))));
  }

  private String refused(String name, long amount) {
    return counters.refused(CounterCommand.encode(new CounterCommand.Add(name, amount)));
  }

  private long get(String name) {
    return value(counters.told(CounterCommand.encode(new CounterCommand.Get(name))));
  }

  private static long value(Bytes reply) {
    return CounterReply.decode(reply).value();
  }
}
