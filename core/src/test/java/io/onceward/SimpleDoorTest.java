package io.onceward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.SimpleDoor.RequestKey;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimpleDoorTest {
  private static RequestKey key(String client, long sequence) {
    return new RequestKey(client, sequence);
  }

  @Test
  void requestIsAppliedOnce() {
    SimpleDoor door = new SimpleDoor();
    assertThat(door.shouldApply(key("ann", 1))).isTrue();
    assertThat(door.shouldApply(key("ann", 1))).isFalse();
    assertThat(door.shouldApply(key("bob", 1))).isTrue();
    assertThat(door.shouldApply(key("ann", 2))).isTrue();
    assertThat(door.shouldApply(key("ann", 1))).isFalse();
  }

  @Test
  void requestWithoutKeyIsAlwaysApplied() {
    SimpleDoor door = new SimpleDoor();
    assertThat(door.shouldApply(null)).isTrue();
    assertThat(door.shouldApply(null)).isTrue();
  }

  @Test
  void requestsMayOvertakeEachOtherWithinTheWindow() {
    SimpleDoor door = new SimpleDoor(4);
    assertThat(door.shouldApply(key("ann", 4))).isTrue();
    assertThat(door.shouldApply(key("ann", 1))).isTrue();
    assertThat(door.shouldApply(key("ann", 3))).isTrue();
    assertThat(door.shouldApply(key("ann", 1))).isFalse();
    assertThat(door.shouldApply(key("ann", 3))).isFalse();
    assertThat(door.shouldApply(key("ann", 2))).isTrue();
  }

  @Test
  void sequenceBelowTheWindowIsRefusedEvenIfItWasNeverApplied() {
    SimpleDoor door = new SimpleDoor(4);
    door.shouldApply(key("ann", 5));
    assertThat(door.shouldApply(key("ann", 1))).isFalse();
    assertThat(door.shouldApply(key("ann", 2))).isTrue();
    door.shouldApply(key("ann", Long.MAX_VALUE));
    assertThat(door.shouldApply(key("ann", 3))).isFalse();
    assertThat(door.shouldApply(key("ann", Long.MAX_VALUE - 3))).isTrue();
    assertThat(door.shouldApply(key("ann", Long.MAX_VALUE - 4))).isFalse();
    assertThat(door.shouldApply(key("ann", Long.MAX_VALUE))).isFalse();
  }

  @Test
  void defaultWindowIs1024() {
    SimpleDoor door = new SimpleDoor();
    door.shouldApply(key("ann", 1025));
    assertThat(door.shouldApply(key("ann", 2))).isTrue();
    assertThat(door.shouldApply(key("ann", 1))).isFalse();
  }

  @Test
  void closedClientIsForgotten() {
    SimpleDoor door = new SimpleDoor();
    door.shouldApply(key("ann", 1));
    door.shouldApply(key("bob", 1));
    door.close("ann");
    door.close("nobody");
    assertThat(door.shouldApply(key("bob", 1))).isFalse();
    assertThat(door.shouldApply(key("ann", 1))).isTrue();
  }

  /** A model that remembers everything, and forgets only by the written rule. */
  private static final class Model {
    private final int window;
    private final Map<String, Set<Long>> applied = new HashMap<>();
    private final Map<String, Long> tops = new HashMap<>();

    Model(int window) {
      this.window = window;
    }

    boolean shouldApply(String client, long sequence) {
      long top = tops.merge(client, sequence, Math::max);
      return sequence > top - window
          && applied.computeIfAbsent(client, name -> new HashSet<>()).add(sequence);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 8, 64, 65, 1000})
  void answersAsAModelThatRemembersEverything(int window) {
    SplittableRandom random = new SplittableRandom(window);
    SimpleDoor door = new SimpleDoor(window);
    Model model = new Model(window);
    long base = 1;
    for (int i = 0; i < 20_000; i++) {
      String client = "c" + random.nextInt(3);
      long jump = random.nextInt(500) == 0 ? 2L * window : random.nextInt(3);
      base += jump;
      long sequence = Math.max(1, base - random.nextInt(window + window / 2 + 1));
      assertThat(door.shouldApply(key(client, sequence)))
          .as("step " + i)
          .isEqualTo(model.shouldApply(client, sequence));
      if (random.nextInt(50) == 0) {
        byte[] bytes = door.toBytes();
        door = SimpleDoor.fromBytes(bytes);
        assertThat(door.toBytes()).isEqualTo(bytes);
      }
    }
  }

  @Test
  void smallestAndLargestComeBack() {
    SimpleDoor empty = new SimpleDoor(1);
    assertThat(SimpleDoor.fromBytes(empty.toBytes()).toBytes()).isEqualTo(empty.toBytes());
    SimpleDoor wide = new SimpleDoor(SimpleDoor.MAX_WINDOW);
    wide.shouldApply(key("é".repeat(64), Long.MAX_VALUE));
    wide.shouldApply(key("", 1));
    SimpleDoor again = SimpleDoor.fromBytes(wide.toBytes());
    assertThat(again.toBytes()).isEqualTo(wide.toBytes());
    assertThat(again.shouldApply(key("é".repeat(64), Long.MAX_VALUE))).isFalse();
    assertThat(again.shouldApply(key("", 1))).isFalse();
  }

  @Test
  void equalMemoriesHaveEqualBytes() {
    SimpleDoor one = new SimpleDoor(8);
    SimpleDoor other = new SimpleDoor(8);
    for (long sequence : new long[] {1, 30, 28, 29}) {
      one.shouldApply(key("ann", sequence));
    }
    one.shouldApply(key("bob", 1));
    other.shouldApply(key("zoe", 5));
    other.shouldApply(key("bob", 1));
    for (long sequence : new long[] {28, 29, 30, 28}) {
      other.shouldApply(key("ann", sequence));
    }
    other.close("zoe");
    assertThat(one.toBytes()).isEqualTo(other.toBytes());
  }

  @Test
  void layoutIsAsDocumented() {
    SimpleDoor door = new SimpleDoor(10);
    door.shouldApply(key("ann", 300));
    door.shouldApply(key("ann", 291));
    String body = "01" + "0000000a" + "00000001" + "03616e6e" + "000000000000012c" + "0102";
    assertThat(door.toBytes()).isEqualTo(withChecksum(body));
  }

  @Test
  void everyFlippedBitAndTruncationIsNoticed() {
    SimpleDoor door = new SimpleDoor(10);
    door.shouldApply(key("ann", 3));
    door.shouldApply(key("bob", 1000));
    byte[] bytes = door.toBytes();
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      byte[] flipped = bytes.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      assertDamaged(flipped);
    }
    for (int length = 0; length < bytes.length; length++) {
      assertDamaged(Arrays.copyOf(bytes, length));
    }
    assertDamaged(Arrays.copyOf(bytes, bytes.length + 1));
  }

  @ParameterizedTest(name = "{2}")
  @CsvSource({
    "02 0000000a 00000000,                               0, version 2 is unknown; this build knows 1",
    "01 00000000 00000000,                               1, a window of 0",
    "01 00010001 00000000,                               1, a window of 65537",
    "01 0000000a ffffffff,                               9, -1 clients do not end here",
    "01 0000000a 00000000 00,                            9, 0 clients do not end here",
    "01 0000000a 7fffffff,                               9, 10 more bytes are needed",
    "01 0000000a 00000001 81,                            9, a client's name of 129 bytes",
    "01 0000000a 00000001 01 61 T 01,                   10, 11 more bytes are needed",
    "01 0000000a 00000001 01 ff T 0100,                  9, a client's name is not UTF-8",
    "01 0000000a 00000002 01 62 T 0100 01 61 T 0100,    21, clients are not in ascending order",
    "01 0000000a 00000002 01 61 T 0100 01 61 T 0100,    21, clients are not in ascending order",
    "01 0000000a 00000001 01 61 T 0000,                  9, sequences that cannot have been applied",
    "01 0000000a 00000001 01 61 T 0900,                  9, sequences that cannot have been applied",
    "01 0000000a 00000001 01 61 0000000000000100 0104,   9, sequences that cannot have been applied",
    "01 0000000a 00000001 01 61 0000000000000000 0100,   9, sequences that cannot have been applied"
  })
  void malformedBytesAreRefusedByPlaceAndReason(String body, int offset, String reason) {
    byte[] bytes = withChecksum(body.replace("T", "0000000000000003").replace(" ", ""));
    assertThatThrownBy(() -> SimpleDoor.fromBytes(bytes))
        .isInstanceOf(DamagedException.class)
        .hasMessage("simple door is damaged at byte " + offset + ": " + reason);
  }

  @Test
  void badArgumentsAreNamed() {
    assertThatThrownBy(() -> new SimpleDoor(0)).hasMessageContaining("1 to 65536");
    assertThatThrownBy(() -> new SimpleDoor(65537)).hasMessageContaining("1 to 65536");
    assertThatThrownBy(() -> key("ann", 0)).hasMessageContaining("sequences begin with 1, got 0");
    assertThatThrownBy(() -> key("x".repeat(129), 1)).hasMessageContaining("at most 128 bytes");
    assertThat(new SimpleDoor(65536).shouldApply(key("x".repeat(128), 1))).isTrue();
  }

  private static void assertDamaged(byte[] bytes) {
    assertThatThrownBy(() -> SimpleDoor.fromBytes(bytes)).isInstanceOf(DamagedException.class);
  }

  private static byte[] withChecksum(String hex) {
    byte[] body = HexFormat.of().parseHex(hex);
    CRC32C crc = new CRC32C();
    crc.update(body);
    byte[] bytes = Arrays.copyOf(body, body.length + 4);
    for (int i = 0; i < 4; i++) {
      bytes[body.length + i] = (byte) (crc.getValue() >>> (24 - 8 * i));
    }
    return bytes;
  }
}
