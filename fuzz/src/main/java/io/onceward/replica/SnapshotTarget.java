package io.onceward.replica;

import io.onceward.Bytes;
import io.onceward.DamagedException;
import io.onceward.fuzz.Frugal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Searches for bytes that upset the reader of snapshots: any exception but {@link
 * DamagedException}, two forms of one content, or memory taken for a length that only was claimed.
 */
public final class SnapshotTarget {

  private SnapshotTarget() {}

  /** The input is a snapshot, as it is and with all checks made right, and a content as well. */
  public static void fuzzerTestOneInput(byte[] input) {
    Frugal.check(input.length, () -> check(input));
    byte[] checked = withRightChecks(input);
    Frugal.check(checked.length, () -> check(checked));
    Frugal.check(input.length, () -> check(withContent(input)));
  }

  private static byte[] withContent(byte[] content) throws IOException {
    ByteArrayOutputStream snapshot = new ByteArrayOutputStream();
    SnapshotOutput out = new SnapshotOutput(snapshot);
    out.raw(Bytes.of(content));
    out.finish();
    return snapshot.toByteArray();
  }

  private static void check(byte[] snapshot) throws IOException {
    SnapshotInput in = new SnapshotInput(new ByteArrayInputStream(snapshot));
    byte[] service;
    try (InputStream section = in.section()) {
      service = section.readAllBytes();
    }
    String name = in.utf8("name", 100);
    long number = in.varint();
    byte[] reply = in.bytes("reply", Integer.MAX_VALUE - 16);
    long last = in.i64();
    in.finish();

    ByteArrayOutputStream again = new ByteArrayOutputStream();
    SnapshotOutput out = new SnapshotOutput(again);
    try (OutputStream section = out.section()) {
      section.write(service);
    }
    out.utf8("name", name, 100);
    out.varint(number);
    out.bytes(Bytes.of(reply));
    out.i64(last);
    out.finish();
    if (!Arrays.equals(again.toByteArray(), snapshot)) {
      throw new AssertionError("a second form of a content of " + snapshot.length + " bytes");
    }
  }

  /** Walks over the blocks, as far as they are any, and corrects their checksums and the end. */
  private static byte[] withRightChecks(byte[] input) {
    ByteBuffer bytes = ByteBuffer.wrap(input.clone());
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    int place = SnapshotLayout.HEAD_BYTES;
    while (place + SnapshotLayout.BLOCK_HEAD_BYTES <= input.length) {
      int length = bytes.getInt(place);
      int payload = place + SnapshotLayout.BLOCK_HEAD_BYTES;
      int size = length == 0 ? SnapshotLayout.END_BYTES : length;
      if (size < 0 || size > input.length - payload) {
        break;
      }
      if (length == 0) {
        byte[] digest = SnapshotLayout.sha256().digest(content.toByteArray());
        bytes.put(payload, SnapshotLayout.end(content.size(), digest));
      }
      content.write(bytes.array(), payload, size);
      CRC32C crc = new CRC32C();
      crc.update(ByteBuffer.allocate(12).putLong(place).putInt(length).flip());
      crc.update(bytes.array(), payload, size);
      bytes.putInt(place + Integer.BYTES, (int) crc.getValue());
      place = payload + size;
    }
    return bytes.array();
  }
}
