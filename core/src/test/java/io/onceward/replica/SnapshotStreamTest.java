package io.onceward.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.DamagedException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class SnapshotStreamTest {
  private static final int BLOCK = Limits.BLOCK_BYTES;

  /** What is written into a snapshot, or read out of it; the same code cannot do both honestly. */
  @FunctionalInterface
  private interface Writing {
    void to(SnapshotOutput out) throws IOException;
  }

  @FunctionalInterface
  private interface Reading {
    void from(SnapshotInput in) throws IOException;
  }

  private static byte[] snapshot(Writing writing) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    SnapshotOutput out = new SnapshotOutput(bytes);
    writing.to(out);
    out.finish();
    return bytes.toByteArray();
  }

  private static void read(byte[] snapshot, Reading reading) throws IOException {
    SnapshotInput in = new SnapshotInput(new ByteArrayInputStream(snapshot));
    reading.from(in);
    in.finish();
  }

  private static void writeSmall(SnapshotOutput out) throws IOException {
    out.u8(200);
    out.i64(Long.MIN_VALUE);
    out.varint(300);
    out.utf8("name", "größe", 128);
    try (OutputStream section = out.section()) {
      section.write("service".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    out.bytes(Bytes.utf8("end"));
  }

  private static void readSmall(SnapshotInput in) throws IOException {
    assertThat(in.u8()).isEqualTo(200);
    assertThat(in.i64()).isEqualTo(Long.MIN_VALUE);
    assertThat(in.varint()).isEqualTo(300);
    assertThat(in.utf8("name", 128)).isEqualTo("größe");
    try (InputStream section = in.section()) {
      assertThat(section.readAllBytes()).asString().isEqualTo("service");
    }
    assertThat(in.bytes("reply", 100)).asString().isEqualTo("end");
  }

  @Test
  void smallSnapshotComesBack() throws IOException {
    read(snapshot(SnapshotStreamTest::writeSmall), SnapshotStreamTest::readSmall);
  }

  /** Built by hand from docs/bytes.md, with the JDK alone. */
  @Test
  void layoutIsAsDocumented() throws Exception {
    byte[] content = HexFormat.of().parseHex("0761");
    byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(content);
    byte[] end = ByteBuffer.allocate(40).putLong(content.length).put(sha256).array();
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    expected.write(HexFormat.of().parseHex("4f57534e4150" + "0003"));
    expected.write(block(8, 2, content));
    expected.write(block(18, 0, end));
    byte[] snapshot =
        snapshot(
            out -> {
              out.u8(7);
              out.u8('a');
            });
    assertThat(snapshot).isEqualTo(expected.toByteArray());
  }

  private static byte[] block(long place, int lengthField, byte[] payload) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(12).putLong(place).putInt(lengthField).flip());
    crc.update(payload);
    return ByteBuffer.allocate(8 + payload.length)
        .putInt(lengthField)
        .putInt((int) crc.getValue())
        .put(payload)
        .array();
  }

  @Test
  void checksumCoversThePlaceOfABlock() throws Exception {
    byte[] content = new byte[300];
    byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(content);
    byte[] end = ByteBuffer.allocate(40).putLong(300).put(sha256).array();
    byte[] snapshot = snapshot(out -> out.raw(Bytes.of(content)));
    assertThat(snapshot).endsWith(block(8 + 8 + 300, 0, end));
  }

  @Test
  void sectionIsPiecesAndAZero() throws IOException {
    byte[] inSection =
        snapshot(
            out -> {
              try (OutputStream section = out.section()) {
                section.write(new byte[] {1, 2, 3});
              }
            });
    byte[] byHand = snapshot(out -> out.raw(new byte[] {3, 1, 2, 3, 0}, 0, 5));
    assertThat(inSection).isEqualTo(byHand);
  }

  @Test
  void everyFlippedBitIsNoticed() throws IOException {
    byte[] snapshot = snapshot(SnapshotStreamTest::writeSmall);
    for (int bit = 0; bit < snapshot.length * 8; bit++) {
      byte[] flipped = snapshot.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      assertDamaged(flipped);
    }
  }

  @Test
  void everyTruncationIsNoticed() throws IOException {
    byte[] snapshot = snapshot(SnapshotStreamTest::writeSmall);
    for (int length = 0; length < snapshot.length; length++) {
      DamagedException e = assertDamaged(Arrays.copyOf(snapshot, length));
      assertThat(e.offset()).isEqualTo(length);
      assertThat(e.reason()).matches("it is cut off; [1-9][0-9]* more bytes are needed");
      if (length < 8) {
        assertThat(e.reason()).contains((8 - length) + " more");
      }
    }
  }

  @Test
  void everyAppendedByteIsNoticed() throws IOException {
    byte[] snapshot = snapshot(SnapshotStreamTest::writeSmall);
    for (int value = 0; value < 256; value++) {
      byte[] longer = Arrays.copyOf(snapshot, snapshot.length + 1);
      longer[snapshot.length] = (byte) value;
      DamagedException e = assertDamaged(longer);
      assertThat(e.offset()).isEqualTo(snapshot.length);
      assertThat(e.reason()).isEqualTo("bytes follow the end");
    }
  }

  private static DamagedException assertDamaged(byte[] snapshot) {
    return damage(snapshot, SnapshotStreamTest::readSmall);
  }

  private static DamagedException damage(byte[] snapshot, Reading reading) {
    List<DamagedException> thrown = new ArrayList<>();
    assertThatThrownBy(() -> read(snapshot, reading))
        .hasMessageStartingWith("snapshot is damaged")
        .isInstanceOfSatisfying(
            DamagedException.class,
            e -> {
              assertThat(e.offset()).isBetween(0L, (long) snapshot.length);
              thrown.add(e);
            });
    return thrown.get(0);
  }

  @Test
  void otherFilesAndVersionsAreNamed() throws IOException {
    byte[] snapshot = snapshot(SnapshotStreamTest::writeSmall);
    byte[] later = snapshot.clone();
    later[6] = 1;
    later[7] = 2;
    assertThat(assertDamaged(later))
        .hasMessage("snapshot is damaged at byte 6: version 258 is unknown; this build knows 3");
    byte[] earlier = snapshot.clone();
    earlier[7] = 2;
    assertThat(assertDamaged(earlier))
        .hasMessage("snapshot is damaged at byte 6: version 2 is unknown; this build knows 3");
    byte[] other = snapshot.clone();
    other[0] = 'Z';
    assertThat(assertDamaged(other)).hasMessageContaining("it does not begin as a snapshot does");
  }

  @Test
  void lengthsNearBlockBordersComeBack() throws IOException {
    for (int before = BLOCK - 20; before <= BLOCK + 20; before++) {
      byte[] filling = new byte[before];
      Arrays.fill(filling, (byte) 9);
      byte[] snapshot =
          snapshot(
              out -> {
                out.raw(filling, 0, filling.length);
                out.varint(-1);
                out.i64(0x1122334455667788L);
                out.utf8("name", "größe", 100);
              });
      read(
          snapshot,
          in -> {
            in.readFully(new byte[filling.length], 0, filling.length);
            assertThat(in.varint()).isEqualTo(-1);
            assertThat(in.i64()).isEqualTo(0x1122334455667788L);
            assertThat(in.utf8("name", 100)).isEqualTo("größe");
          });
    }
  }

  @Test
  void randomContentsComeBackWhateverTheSizesOfReadsAndWrites() throws IOException {
    for (int seed = 0; seed < 60; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int length = random.nextBoolean() ? random.nextInt(3 * BLOCK) : random.nextInt(3) * BLOCK;
      byte[] content = new byte[length];
      random.nextBytes(content);
      byte[] snapshot = snapshot(out -> writeInSteps(out, content, random));
      assertThat(snapshot).isEqualTo(snapshot(out -> writeAtOnce(out, content)));
      read(
          snapshot,
          in -> {
            byte[] found = new byte[content.length];
            in.readFully(found, 0, found.length);
            assertThat(found).isEqualTo(content);
            try (InputStream section = in.section()) {
              assertThat(section.readAllBytes()).isEqualTo(content);
            }
            try (InputStream section = in.section()) {
              readInSteps(section, content, random);
            }
          });
    }
  }

  private static void writeAtOnce(SnapshotOutput out, byte[] content) throws IOException {
    out.raw(Bytes.of(content));
    for (int i = 0; i < 2; i++) {
      try (OutputStream section = out.section()) {
        section.write(content);
      }
    }
  }

  private static void writeInSteps(SnapshotOutput out, byte[] content, SplittableRandom random)
      throws IOException {
    for (int at = 0, step; at < content.length; at += step) {
      step = step(random, content.length - at);
      out.raw(content, at, step);
    }
    for (int i = 0; i < 2; i++) {
      try (OutputStream section = out.section()) {
        for (int at = 0, step; at < content.length; at += step) {
          step = step(random, content.length - at);
          if (step == 1) {
            section.write(content[at]);
          } else {
            section.write(content, at, step);
          }
          section.flush();
        }
      }
    }
  }

  private static void readInSteps(InputStream section, byte[] content, SplittableRandom random)
      throws IOException {
    for (int at = 0, step; at < content.length; at += step) {
      step = step(random, content.length - at);
      if (step == 1) {
        assertThat((byte) section.read()).isEqualTo(content[at]);
      } else {
        assertThat(section.readNBytes(step)).isEqualTo(Arrays.copyOfRange(content, at, at + step));
      }
    }
    assertThat(section.read()).isEqualTo(-1);
    assertThat(section.read(new byte[5])).isEqualTo(-1);
    assertThat(section.read(new byte[0])).isZero();
  }

  private static int step(SplittableRandom random, int left) {
    return Math.min(left, random.nextInt(8) == 0 ? 1 + random.nextInt(2 * BLOCK) : 1);
  }

  @Test
  void emptySnapshotComesBack() throws IOException {
    byte[] empty = snapshot(out -> {});
    assertThat(empty).hasSize(8 + 8 + 40);
    read(empty, in -> {});
  }

  @Test
  void finishGivesTheSha256OfTheContent() throws Exception {
    byte[] content = new byte[BLOCK + 5];
    byte[] expected = MessageDigest.getInstance("SHA-256").digest(content);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    SnapshotOutput out = new SnapshotOutput(bytes);
    out.raw(Bytes.of(content));
    assertThat(out.finish()).isEqualTo(expected);
    SnapshotInput in = new SnapshotInput(new ByteArrayInputStream(bytes.toByteArray()));
    in.readFully(new byte[content.length], 0, content.length);
    assertThat(in.finish()).isEqualTo(expected);
  }

  @Test
  void contentThatNobodyReadsIsDamage() throws IOException {
    byte[] snapshot = snapshot(SnapshotStreamTest::writeSmall);
    assertThat(damage(snapshot, in -> {}))
        .hasMessage("snapshot is damaged at byte 16: content is left that nobody reads");
    assertThat(damage(snapshot, SnapshotInput::u8).offset()).isEqualTo(17);
  }

  @Test
  void readingBeyondTheContentIsDamage() throws IOException {
    byte[] snapshot = snapshot(out -> out.u8(1));
    DamagedException e =
        damage(
            snapshot,
            in -> {
              in.u8();
              in.i64();
            });
    assertThat(e).hasMessage("snapshot is damaged at byte 17: 8 more bytes are needed, 0 are left");
  }

  @Test
  void readingAfterTheEndStaysDamage() throws IOException {
    byte[] snapshot = snapshot(out -> out.u8(1));
    SnapshotInput in = new SnapshotInput(new ByteArrayInputStream(snapshot));
    in.u8();
    byte[] digest = in.finish();
    assertThat(in.finish()).isEqualTo(digest);
    assertThatThrownBy(in::u8)
        .hasMessage("snapshot is damaged at byte 17: 1 more bytes are needed, 0 are left");
  }

  /** The last block is shorter than the value that begins in the block before it. */
  @Test
  void valueThatDoesNotEndIsNamedByItsStart() throws IOException {
    byte[] snapshot = snapshot(out -> out.raw(new byte[BLOCK + 2], 0, BLOCK + 2));
    DamagedException e =
        damage(
            snapshot,
            in -> {
              in.readFully(new byte[BLOCK], 0, BLOCK - 3);
              in.i64();
            });
    assertThat(e.offset()).isEqualTo(8 + 8 + BLOCK - 3);
    assertThat(e.reason()).isEqualTo("8 more bytes are needed, 5 are left");
  }

  @Test
  void offsetsAreThoseOfTheFile() throws IOException {
    byte[] snapshot = snapshot(out -> out.raw(new byte[BLOCK + 100], 0, BLOCK + 100));
    read(
        snapshot,
        in -> {
          assertThat(in.offset()).isEqualTo(8);
          in.u8();
          assertThat(in.offset()).isEqualTo(8 + 8 + 1);
          in.readFully(new byte[BLOCK], 0, BLOCK - 5);
          assertThat(in.offset()).isEqualTo(8 + 8 + BLOCK - 4);
          in.i64();
          assertThat(in.offset()).isEqualTo(8 + 8 + BLOCK + 8 + 4);
          in.readFully(new byte[BLOCK], 0, 96);
        });
  }

  @Test
  void blocksThatAreMovedLostOrRepeatedAreNoticedInPlace() throws IOException {
    byte[] content = new byte[3 * BLOCK];
    Arrays.fill(content, BLOCK, 2 * BLOCK, (byte) 1);
    Arrays.fill(content, 2 * BLOCK, 3 * BLOCK, (byte) 2);
    byte[] snapshot = snapshot(out -> out.raw(Bytes.of(content)));
    int size = 8 + BLOCK;
    assertBlockDamage(join(snapshot, 0, 8 + size, 8 + 2 * size, snapshot.length), 8 + size);
    assertBlockDamage(join(snapshot, 0, 8 + 2 * size, 8 + size, snapshot.length), 8 + 2 * size);
    byte[] swapped = snapshot.clone();
    System.arraycopy(snapshot, 8, swapped, 8 + size, size);
    System.arraycopy(snapshot, 8 + size, swapped, 8, size);
    assertBlockDamage(swapped, 8);
  }

  private static byte[] join(byte[] bytes, int from1, int to1, int from2, int to2) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    joined.write(bytes, from1, to1 - from1);
    joined.write(bytes, from2, to2 - from2);
    return joined.toByteArray();
  }

  private static void assertBlockDamage(byte[] snapshot, int offset) {
    DamagedException e = damage(snapshot, in -> in.readFully(new byte[3 * BLOCK], 0, 3 * BLOCK));
    assertThat(e.offset()).isEqualTo(offset);
    assertThat(e.reason()).startsWith("checksum of the block is ");
  }

  @Test
  void hugeLengthsTakeNoMemory() throws IOException {
    byte[] hugeBlock = snapshot(SnapshotStreamTest::writeSmall);
    for (int length : new int[] {BLOCK + 1, Integer.MAX_VALUE, Integer.MIN_VALUE, -1}) {
      ByteBuffer.wrap(hugeBlock).putInt(8, length);
      DamagedException e = assertDamaged(hugeBlock);
      assertThat(e.offset()).isEqualTo(8);
      assertThat(e.reason())
          .isEqualTo(
              "a block of " + Integer.toUnsignedLong(length) + " bytes; allowed are 1 to 65536");
    }
    byte[] hugeField = snapshot(out -> out.varint(Integer.MAX_VALUE - 16));
    long before = allocatedBytes();
    DamagedException cut = damage(hugeField, in -> in.bytes("reply", Integer.MAX_VALUE - 16));
    assertThat(allocatedBytes() - before).isLessThan(2_000_000);
    assertThat(cut.reason()).isEqualTo("1 more bytes are needed, 0 are left");
    assertThat(damage(hugeField, in -> in.bytes("reply", 1 << 20)).reason())
        .isEqualTo("length of reply is 2147483631; allowed are 0 to 1048576");
  }

  private static long allocatedBytes() {
    return ((com.sun.management.ThreadMXBean)
            java.lang.management.ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }

  @Test
  void longBytesComeBack() throws IOException {
    byte[] bytes = new byte[5 * BLOCK + 17];
    new SplittableRandom(1).nextBytes(bytes);
    read(
        snapshot(out -> out.bytes(Bytes.of(bytes))),
        in -> assertThat(in.bytes("reply", bytes.length)).isEqualTo(bytes));
  }

  @Test
  void blockAfterOneThatIsNotFullIsDamage() throws Exception {
    byte[] content = {1, 2};
    byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(content);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(HexFormat.of().parseHex("4f57534e4150" + "0003"));
    bytes.write(block(8, 1, new byte[] {1}));
    bytes.write(block(17, 1, new byte[] {2}));
    bytes.write(block(26, 0, ByteBuffer.allocate(40).putLong(2).put(sha256).array()));
    DamagedException e =
        damage(
            bytes.toByteArray(),
            in -> {
              in.u8();
              in.u8();
            });
    assertThat(e)
        .hasMessage("snapshot is damaged at byte 17: a block follows one that is not full");
  }

  @Test
  void endThatSpeaksOfOtherContentIsDamage() throws Exception {
    byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(new byte[] {1});
    assertEndDamage(ByteBuffer.allocate(40).putLong(2).put(sha256).array());
    sha256[31] ^= 1;
    assertEndDamage(ByteBuffer.allocate(40).putLong(1).put(sha256).array());
  }

  private static void assertEndDamage(byte[] end) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(HexFormat.of().parseHex("4f57534e4150" + "0003"));
    bytes.write(block(8, 1, new byte[] {1}));
    bytes.write(block(17, 0, end));
    DamagedException e = damage(bytes.toByteArray(), SnapshotInput::u8);
    assertThat(e.offset()).isEqualTo(17);
    assertThat(e.reason()).startsWith("length or SHA-256 of the content");
  }

  @Test
  void serviceCannotReadBeyondItsSectionNorLeaveSome() throws IOException {
    byte[] snapshot = snapshot(SnapshotStreamTest::writeSmall);
    Reading lessThanAll =
        in -> {
          readUpToSection(in);
          try (InputStream section = in.section()) {
            section.readNBytes(6);
          }
        };
    assertThat(damage(snapshot, lessThanAll).reason())
        .startsWith("a section is left before its end");
    read(
        snapshot,
        in -> {
          readUpToSection(in);
          try (InputStream section = in.section()) {
            assertThat(section.read(new byte[100])).isEqualTo(7);
            assertThat(section.read(new byte[100])).isEqualTo(-1);
          }
          in.bytes("reply", 100);
        });
    read(
        snapshot,
        in -> {
          readUpToSection(in);
          try (InputStream section = in.section()) {
            section.readNBytes(7);
          }
          in.bytes("reply", 100);
        });
  }

  private static void readUpToSection(SnapshotInput in) throws IOException {
    in.u8();
    in.i64();
    in.varint();
    in.utf8("name", 128);
  }

  @Test
  void piecesOfASectionHaveOneForm() throws IOException {
    Reading section =
        in -> {
          try (InputStream bytes = in.section()) {
            bytes.readAllBytes();
          }
        };
    byte[] shortThenMore = snapshot(out -> out.raw(new byte[] {1, 9, 1, 9, 0}, 0, 5));
    assertThat(damage(shortThenMore, section).reason())
        .isEqualTo("a piece of a section follows one that is not full");
    byte[] tooLong =
        snapshot(
            out -> {
              out.varint(Limits.PIECE_BYTES + 1);
              out.raw(new byte[Limits.PIECE_BYTES + 1], 0, Limits.PIECE_BYTES + 1);
              out.varint(0);
            });
    assertThat(damage(tooLong, section).reason())
        .isEqualTo("length of piece of a section is 32769; allowed are 0 to 32768");
  }

  @Test
  void misuseOfTheOutputIsRefused() throws IOException {
    SnapshotOutput out = new SnapshotOutput(new ByteArrayOutputStream());
    OutputStream section = out.section();
    assertThatThrownBy(out::section).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(out::finish).isInstanceOf(IllegalStateException.class);
    section.close();
    section.close();
    assertThatThrownBy(() -> section.write(1)).isInstanceOf(IOException.class);
    out.finish();
    assertThatThrownBy(out::finish).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> out.u8(1)).isInstanceOf(IllegalStateException.class);
  }
}
