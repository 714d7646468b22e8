package io.onceward.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import org.junit.jupiter.api.Test;

class ProtoWriterTest {
  /** A node has a writer for every connection, and a message for each that does not read. */
  @Test
  void aLongMessageLeavesNoLongBufferBehind() {
    ProtoWriter writer = new ProtoWriter();
    writer.bytes(1, Bytes.of(new byte[200 << 10]));
    assertThat(writer.take()).hasSizeGreaterThan(200 << 10);
    assertThat(writer.capacity()).isLessThanOrEqualTo(ProtoWriter.KEPT_BYTES);
  }

  @Test
  void theBufferOfShortMessagesIsKept() {
    ProtoWriter writer = new ProtoWriter();
    writer.bytes(1, Bytes.of(new byte[8 << 10]));
    int grown = writer.capacity();
    var unused = writer.take();
    assertThat(writer.capacity()).isEqualTo(grown);
  }

  @Test
  void whatIsHandedOverStaysAsItIs() {
    for (int length : new int[] {10, 9 << 10, 17 << 10, 200 << 10, 210 << 10}) {
      ProtoWriter writer = new ProtoWriter();
      writer.bytes(1, Bytes.of(new byte[length]));
      byte[] expected = writer.written().toArray();

      Bytes handedOver = writer.handOver();

      for (int i = 0; i < 3; i++) {
        writer.bytes(2, Bytes.utf8("x".repeat(length)));
      }
      assertThat(handedOver.toArray()).as("%d bytes", length).isEqualTo(expected);
      assertThat(writer.length()).isGreaterThan(3 * length);
    }
  }

  @Test
  void theBufferOfAnIdleWriterIsGivenUp() {
    ProtoWriter writer = new ProtoWriter();
    writer.bytes(1, Bytes.of(new byte[8 << 10]));
    int grown = writer.capacity();
    writer.shrink();
    assertThat(writer.capacity()).as("it is not empty").isEqualTo(grown);
    writer.clear();
    writer.shrink();
    assertThat(writer.capacity()).isLessThanOrEqualTo(ProtoWriter.IDLE_BYTES);
  }
}
