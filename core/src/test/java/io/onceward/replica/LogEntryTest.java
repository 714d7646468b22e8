package io.onceward.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.DamagedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogEntryTest {
  private static final LogEntry SMALL =
      new LogEntry(
          3,
          1_700_000_000_000L,
          List.of(
              new LogEntry.Proposal("ann", new Request.Unkeyed(Bytes.utf8("x"))),
              new LogEntry.Proposal("bob", new Request.Tick()),
              new LogEntry.Proposal("ann", new Request.Forget(9))));

  @Test
  void layoutIsAsDocumented() {
    String body =
        "02"
            + "00"
            + "0000000000000003"
            + "0000018bcfe56800"
            + "02"
            + "03616e6e"
            + "03626f62"
            + "03"
            + "00"
            + "03"
            + "300078"
            + "01"
            + "02"
            + "5000"
            + "00"
            + "0a"
            + "40000000000000000009";
    assertThat(HexFormat.of().formatHex(SMALL.encode()))
        .startsWith(body)
        .hasSize(body.length() + 8);
    assertThat(SMALL.encode()).isEqualTo(withChecksum(HexFormat.of().parseHex(body)));
    assertThat(LogEntry.decode(SMALL.encode())).isEqualTo(SMALL);
  }

  @Test
  void randomEntriesComeBackAsTheyWere() {
    for (int seed = 0; seed < 500; seed++) {
      LogEntry entry = random(seed);
      byte[] bytes = entry.encode();
      assertThat(LogEntry.decode(bytes)).as("seed " + seed).isEqualTo(entry);
      assertThat(LogEntry.decode(bytes).encode()).as("seed " + seed).isEqualTo(bytes);
    }
  }

  private static LogEntry random(int seed) {
    RandomRequests requests = new RandomRequests(seed);
    SplittableRandom random = new SplittableRandom(seed);
    String[] principals = new String[1 + random.nextInt(20)];
    Arrays.setAll(principals, i -> requests.text(Limits.PRINCIPAL_BYTES));
    List<LogEntry.Proposal> proposals = new ArrayList<>();
    for (int i = random.nextInt(60); i > 0; i--) {
      String principal = principals[random.nextInt(principals.length)];
      // A frame may be anything: the entry carries it, apply judges it.
      proposals.add(
          random.nextInt(4) == 0
              ? new LogEntry.Proposal(principal, requests.bytes(300))
              : new LogEntry.Proposal(principal, requests.next()));
    }
    long clusterTag = random.nextBoolean() ? 0 : random.nextLong();
    return new LogEntry(clusterTag, requests.number(), proposals);
  }

  @Test
  void everyFlippedBitIsNoticed() {
    byte[] bytes = SMALL.encode();
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      byte[] flipped = bytes.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      assertDamaged(flipped);
    }
  }

  @Test
  void wrongChecksumIsNamed() {
    byte[] bytes = new LogEntry(0, 0, List.of()).encode();
    byte[] right = Arrays.copyOfRange(bytes, bytes.length - 4, bytes.length);
    Arrays.fill(bytes, bytes.length - 4, bytes.length, (byte) 0x11);
    assertThatThrownBy(() -> LogEntry.decode(bytes))
        .hasMessage(
            "log entry is damaged at byte 20: checksum is 11111111, the bytes before it have "
                + HexFormat.of().formatHex(right));
  }

  @Test
  void everyTruncationIsNoticed() {
    byte[] bytes = SMALL.encode();
    for (int length = 0; length < bytes.length; length++) {
      assertDamaged(Arrays.copyOf(bytes, length));
    }
  }

  @Test
  void everyAppendedByteIsNoticed() {
    byte[] bytes = SMALL.encode();
    for (int value = 0; value < 256; value++) {
      byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
      longer[bytes.length] = (byte) value;
      assertDamaged(longer);
    }
  }

  /** The checksum says that the bytes are as written; the decoder must still not believe them. */
  @Test
  void changesUnderARightChecksumAreRefusedOrAnotherEntry() {
    byte[] bytes = SMALL.encode();
    byte[] body = Arrays.copyOf(bytes, bytes.length - 4);
    for (int bit = 0; bit < body.length * 8; bit++) {
      byte[] flipped = body.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      assertDamagedOrCanonical(withChecksum(flipped));
    }
    for (int length = 0; length < body.length; length++) {
      assertDamaged(withChecksum(Arrays.copyOf(body, length)));
    }
    assertDamaged(withChecksum(Arrays.copyOf(body, body.length + 1)));
  }

  @ParameterizedTest(name = "{2}")
  @CsvSource({
    "01 00 T 00 00,                        0, 'version 1 is unknown; this build knows 2'",
    "03,                                   0, 'version 3 is unknown; this build knows 2'",
    "02 00 T 00,                          23, 'it is cut off; the shortest has 24 bytes'",
    "02 01 T 00 00,                        1, 'group is 1; allowed are 0 to 0'",
    "02 00 T 818004 00,                   18, 'number of principals is 65537; allowed are 0 to 65536'",
    "02 00 T 808004 00,                   18, '65536 bytes should follow, 1 are left'",
    "02 00 T 01 8101 00,                  19, 'length of principal is 129; allowed are 0 to 128'",
    "02 00 T 01 01ff 00,                  19, 'principal is not UTF-8'",
    "02 00 T 02 0161 0161 00,             21, 'principal 1 is listed twice'",
    "02 00 T 00 818004,                   19, 'number of proposals is 65537; allowed are 0 to 65536'",
    "02 00 T 00 808004,                   19, '65536 bytes should follow, 0 are left'",
    "02 00 T 00 01 00 00,                 20, 'principal of a proposal is 0; allowed are 0 to -1'",
    "02 00 T 01 0161 01 01 00,            22, 'principal of a proposal is 1; allowed are 0 to 0'",
    "02 00 T 02 0161 0162 02 01 00 00 00, 24, 'principal 1 is used before principal 0'",
    "02 00 T 02 0161 0162 01 00 00,       26, 'principal 1 is listed but asks nothing'",
    "02 00 T 01 0161 01 00 81808408 00,   23, 'length of frame is 16842753; allowed are 0 to 16842752'",
    "02 00 T 01 0161 01 00 02 50,         23, '2 bytes should follow, 1 are left'",
    "02 00 T 00 00 00,                    20, '1 bytes follow the end'"
  })
  void malformedEntriesAreRefusedByPlaceAndReason(String body, int offset, String reason) {
    String spelled = body.replace("T", "00".repeat(16)).replace(" ", "");
    byte[] bytes = withChecksum(HexFormat.of().parseHex(spelled));
    assertThatThrownBy(() -> LogEntry.decode(bytes))
        .isInstanceOfSatisfying(
            DamagedException.class,
            e -> {
              assertThat(e.reason()).isEqualTo(reason);
              assertThat(e.offset()).isEqualTo(offset);
              assertThat(e).hasMessageStartingWith("log entry is damaged");
            });
  }

  @Test
  void entryWithoutProposalsIsAnEntry() {
    LogEntry empty = new LogEntry(0, Long.MIN_VALUE, List.of());
    assertThat(LogEntry.decode(empty.encode())).isEqualTo(empty);
  }

  @Test
  void entryOfManyPrincipalsComesBack() {
    List<LogEntry.Proposal> proposals = new ArrayList<>();
    for (int i = 0; i < Limits.PROPOSALS; i++) {
      proposals.add(new LogEntry.Proposal("p" + i, Bytes.EMPTY));
    }
    LogEntry entry = new LogEntry(0, 1, proposals);
    assertThat(LogEntry.decode(entry.encode())).isEqualTo(entry);
    proposals.add(proposals.get(0));
    assertRefused(proposals, "proposals 65537; allowed are 0 to 65536");
  }

  @Test
  void writerRefusesWhatTheReaderWould() {
    Bytes frame = Bytes.of(new byte[Limits.FRAME_BYTES]);
    Bytes tooLarge = Bytes.of(new byte[Limits.FRAME_BYTES + 1]);
    assertRefused(List.of(new LogEntry.Proposal("a", tooLarge)), "frame bytes 16842753");
    List<LogEntry.Proposal> four = Collections.nCopies(4, new LogEntry.Proposal("a", frame));
    assertRefused(four, "entry bytes");
    // More than an int can count; nothing of that size may be asked for.
    assertRefused(Collections.nCopies(Limits.PROPOSALS, four.get(0)), "entry bytes 1103806595072");
    assertRefused(List.of(new LogEntry.Proposal("x".repeat(129), frame)), "principal is longer");
  }

  @Test
  void largestEntryComesBackAndOneByteMoreIsRefused() {
    List<LogEntry.Proposal> proposals = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      proposals.add(new LogEntry.Proposal("a", Bytes.of(new byte[Limits.FRAME_BYTES])));
    }
    // Head 19 bytes, principal 2, count 1, index and length 5 each, checksum 4.
    int left = Limits.ENTRY_BYTES - 3 * Limits.FRAME_BYTES - 19 - 2 - 1 - 4 * 5 - 4;
    byte[] rest = new byte[left + 1];
    proposals.add(new LogEntry.Proposal("a", Bytes.of(rest, 0, left)));
    byte[] bytes = new LogEntry(0, 0, proposals).encode();
    assertThat(bytes).hasSize(Limits.ENTRY_BYTES);
    assertThat(LogEntry.decode(bytes).proposals()).hasSize(4);
    proposals.set(3, new LogEntry.Proposal("a", Bytes.of(rest)));
    assertRefused(proposals, "entry bytes 67108865; allowed are 0 to 67108864");
    assertThatThrownBy(() -> LogEntry.decode(Arrays.copyOf(bytes, bytes.length + 1)))
        .isInstanceOf(DamagedException.class)
        .hasMessageContaining("67108865 bytes");
  }

  @Test
  void framesAreViewsIntoTheEntry() {
    byte[] bytes = SMALL.encode();
    Bytes frame = LogEntry.decode(bytes).proposals().get(0).frame();
    int at = HexFormat.of().formatHex(bytes).indexOf("300078") / 2;
    bytes[at + 2] = 'y';
    assertThat(frame).isEqualTo(Bytes.of(new byte[] {0x30, 0, 'y'}));
  }

  private static void assertRefused(List<LogEntry.Proposal> proposals, String reason) {
    assertThatThrownBy(() -> new LogEntry(0, 0, proposals).encode())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
  }

  private static void assertDamaged(byte[] bytes) {
    assertThatThrownBy(() -> LogEntry.decode(bytes))
        .isInstanceOfSatisfying(
            DamagedException.class, e -> assertThat(e.offset()).isBetween(0L, (long) bytes.length));
  }

  private static void assertDamagedOrCanonical(byte[] bytes) {
    try {
      assertThat(LogEntry.decode(bytes).encode()).isEqualTo(bytes);
    } catch (DamagedException e) {
      assertThat(e.offset()).isBetween(0L, (long) bytes.length);
    }
  }

  static byte[] withChecksum(byte[] body) {
    CRC32C crc = new CRC32C();
    crc.update(body);
    byte[] bytes = Arrays.copyOf(body, body.length + 4);
    for (int i = 0; i < 4; i++) {
      bytes[body.length + i] = (byte) (crc.getValue() >>> (24 - 8 * i));
    }
    return bytes;
  }
}
