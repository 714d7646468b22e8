package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Drainable;
import io.onceward.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

class MessageBytesTest {
  private static final Bytes MESSAGE = Bytes.of(new byte[] {9, 1, 2, -1, 4, 9}, 1, 4);

  @Test
  void aMessageIsDrainedWhole() throws IOException {
    InputStream stream = MessageBytes.VIEWS.stream(MESSAGE);
    ByteArrayOutputStream target = new ByteArrayOutputStream();

    assertThat(stream.available()).isEqualTo(4);
    assertThat(((Drainable) stream).drainTo(target)).isEqualTo(4);

    assertThat(target.toByteArray()).containsExactly(1, 2, -1, 4);
    assertThat(stream.available()).isZero();
    assertThat(stream.read()).isEqualTo(-1);
  }

  @Test
  void aMessageCanBeReadInPieces() throws IOException {
    InputStream stream = MessageBytes.VIEWS.stream(MESSAGE);
    byte[] target = new byte[5];

    assertThat(stream.read()).isEqualTo(1);
    assertThat(stream.read(target, 1, 2)).isEqualTo(2);
    assertThat(stream.read(target, 3, 0)).isZero();
    assertThat(stream.read(target, 3, 2)).isEqualTo(1);

    assertThat(target).containsExactly(0, 2, -1, 4, 0);
    assertThat(stream.read(target, 0, 5)).isEqualTo(-1);
  }

  @Test
  void whatOneStreamsTheOtherParses() {
    assertThat(MessageBytes.VIEWS.parse(MessageBytes.VIEWS.stream(MESSAGE))).isEqualTo(MESSAGE);
    byte[] array = MESSAGE.toArray();
    assertThat(MessageBytes.ARRAYS.parse(MessageBytes.ARRAYS.stream(array))).isEqualTo(array);
  }
}
