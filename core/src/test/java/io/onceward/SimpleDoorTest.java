package io.onceward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.SimpleDoor.Answer;
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
  void lastSequencesThatThereAreAreJudgedLikeAllOthers() {
    SimpleDoor door = new SimpleDoor(1_024);
    for (long below : new long[] {1_024, 1, 0}) {
      assertThat(door.answer(key("ann", Long.MAX_VALUE - below))).isEqualTo(Answer.NEW);
    }
    assertThat(door.answer(key("ann", Long.MAX_VALUE))).isEqualTo(Answer.APPLIED_BEFORE);
    assertThat(door.answer(key("ann", Long.MAX_VALUE - 1))).isEqualTo(Answer.APPLIED_BEFORE);
    assertThat(door.answer(key("ann", Long.MAX_VALUE - 1_024))).isEqualTo(Answer.TOO_OLD_TO_TELL);
    assertThat(SimpleDoor.fromBytes(door.toBytes()).toBytes()).isEqualTo(door.toBytes());
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

  @Test
  void answersSayWhy() {
    SimpleDoor door = new SimpleDoor(4);
    assertThat(door.answer(null)).isEqualTo(Answer.NEW);
    assertThat(door.answer(key("ann", 7))).isEqualTo(Answer.NEW);
    assertThat(door.answer(key("ann", 7))).isEqualTo(Answer.APPLIED_BEFORE);
    assertThat(door.answer(key("ann", 3))).isEqualTo(Answer.TOO_OLD_TO_TELL);
    assertThat(door.answer(key("ann", 4))).isEqualTo(Answer.NEW);
  }

  @Test
  void newIncarnationDropsTheEarlierOneOfItsNode() {
    SimpleDoor door = new SimpleDoor(4);
    assertThat(door.answer(key("auto:n-1-9", 1))).isEqualTo(Answer.NEW);
    assertThat(door.answer(key("auto:n-2-9", 1))).isEqualTo(Answer.NEW);
    byte[] before = door.toBytes();
    assertThat(door.answer(key("auto:n-1-10", 1))).isEqualTo(Answer.NEW);
    assertThat(door.toBytes()).hasSize(before.length + 1);
    assertThat(door.answer(key("auto:n-1-9", 1))).isEqualTo(Answer.SUPERSEDED);
    assertThat(door.answer(key("auto:n-1-9", 2))).isEqualTo(Answer.SUPERSEDED);
    assertThat(door.shouldApply(key("auto:n-1-9", 3))).isFalse();
    assertThat(door.answer(key("auto:n-1-10", 1))).isEqualTo(Answer.APPLIED_BEFORE);
    assertThat(door.answer(key("auto:n-2-9", 1))).isEqualTo(Answer.APPLIED_BEFORE);
    SimpleDoor again = SimpleDoor.fromBytes(door.toBytes());
    assertThat(again.answer(key("auto:n-1-9", 4))).isEqualTo(Answer.SUPERSEDED);
    assertThat(again.answer(key("auto:n-1-" + Long.MAX_VALUE, 1))).isEqualTo(Answer.NEW);
    assertThat(again.answer(key("auto:n-1-10", 2))).isEqualTo(Answer.SUPERSEDED);
  }

  @Test
  void supersededProcessCannotCloseTheLiveOne() {
    SimpleDoor door = new SimpleDoor();
    door.answer(key("auto:n-1", 1));
    door.answer(key("auto:n-2", 1));
    assertThat(door.close("auto:n-1")).isFalse();
    assertThat(door.answer(key("auto:n-2", 1))).isEqualTo(Answer.APPLIED_BEFORE);
    assertThat(door.answer(key("auto:n-1", 1))).isEqualTo(Answer.SUPERSEDED);
    assertThat(door.close("auto:n-2")).isTrue();
    assertThat(door.toBytes()).isEqualTo(new SimpleDoor().toBytes());
  }

  /** Whatever else comes and goes, what is not an incarnation of a node stays. */
  @Test
  void durableClientsAreNeverPruned() {
    SimpleDoor door = new SimpleDoor(8);
    for (int i = 0; i < 5_000; i++) {
      door.answer(key("client " + i, 1));
      door.answer(key("auto:node-" + i, 1));
    }
    for (int i = 0; i < 5_000; i++) {
      assertThat(door.answer(key("client " + i, 1))).isEqualTo(Answer.APPLIED_BEFORE);
    }
    assertThat(door.answer(key("auto:node-4998", 1))).isEqualTo(Answer.SUPERSEDED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "auto:",
        "auto:n",
        "auto:-1",
        "auto:n-",
        "auto:n-x",
        "auto:n-01",
        "auto:n--",
        "auto:n-9223372036854775808",
        "auto:n-99999999999999999999",
        "auto:n-+1",
        "auto:n-１"
      })
  void processesWithoutIncarnationAreRefused(String name) {
    assertThatThrownBy(() -> key(name, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("auto:<node>-<number>");
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
    String body = "02" + "0000000a" + "00000001" + "03616e6e" + "000000000000012c" + "0102";
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
    "01 0000000a 00000000,                               0, version 1 is unknown; this build knows 2",
    "02 00000000 00000000,                               1, a window of 0",
    "02 00010001 00000000,                               1, a window of 65537",
    "02 0000000a ffffffff,                               9, -1 clients do not end here",
    "02 0000000a 00000000 00,                            9, 0 clients do not end here",
    "02 0000000a 7fffffff,                               9, 10 more bytes are needed",
    "02 0000000a 00000001 81,                            9, a client's name of 129 bytes",
    "02 0000000a 00000001 01 61 T 01,                   10, 11 more bytes are needed",
    "02 0000000a 00000001 01 ff T 0100,                  9, a client's name is not UTF-8",
    "02 0000000a 00000002 01 62 T 0100 01 61 T 0100,    21, clients are not in ascending order",
    "02 0000000a 00000002 01 61 T 0100 01 61 T 0100,    21, clients are not in ascending order",
    "02 0000000a 00000001 01 61 T 0000,                  9, sequences that cannot have been applied",
    "02 0000000a 00000001 01 61 T 0900,                  9, sequences that cannot have been applied",
    "02 0000000a 00000001 01 61 0000000000000100 0104,   9, sequences that cannot have been applied",
    "02 0000000a 00000001 01 61 0000000000000000 0100,   9, sequences that cannot have been applied",
    "02 0000000a 00000001 06 6175746f3a61 T 0100,        9, a process without an incarnation",
    "02 0000000a 00000002 08 6175746f3a612d31 T 0100 08 6175746f3a612d32 T 0100, 28, two processes of one node"
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
