package io.onceward.torture.hostile;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.services.CounterCommand;
import io.onceward.services.KeyValueCommand;
import io.onceward.services.ServiceDirectory;
import io.onceward.wire.Question;
import io.onceward.wire.Questions;
import java.util.List;
import java.util.Random;
import java.util.function.LongFunction;

/** What attackers say when they speak the protocol: messages as bytes, ready to be sent. */
final class Words {
  static final int LARGEST_COMMAND = 1 << 20;
  private static final long COLLIDING_FACTOR = 0x9E3779B97F4A7C15L;
  private static final Bytes PREFIX = Bytes.utf8("hostile/");

  private Words() {}

  /** A message of gRPC with so many questions. */
  static byte[] message(int count, LongFunction<Question> questions) {
    Questions.Writer writer = new Questions.Writer();
    for (int i = 0; i < count; i++) {
      writer.add(i, questions.apply(i));
    }
    return Frames.message(writer.take());
  }

  static Question logged(Request request) {
    return new Question.Logged(Bytes.of(RequestCodec.encode(request)));
  }

  static Question open(Random random, int window) {
    return logged(
        new Request.Open(
            ClientKind.REGISTERED,
            "",
            random.nextLong(),
            random.nextLong(),
            0,
            0,
            false,
            true,
            window));
  }

  /** Adds to a counter in a session, and never says that the reply was taken. */
  static Question inSession(Request.Address address, long sequence) {
    return logged(new Request.InSession(address, sequence, 1, null, adding()));
  }

  /** Adds to a counter under a key of its own. */
  static Question keyed(Random random) {
    return keyed(Key.dated(System.currentTimeMillis() * 1_000, random.nextLong()));
  }

  static Question keyed(Key key) {
    return logged(new Request.Keyed(Scope.NONE, key, null, List.of(), adding()));
  }

  private static Bytes adding() {
    return ServiceDirectory.address(
        ServiceDirectory.COUNTER, CounterCommand.encode(new CounterCommand.Add("hostile", 1)));
  }

  /** Stores a value, always in the same place. */
  static Question put(Random random, int length) {
    byte[] value = new byte[length];
    random.nextBytes(value);
    Bytes command =
        KeyValueCommand.encode(new KeyValueCommand.Put(Bytes.utf8("hostile/1"), Bytes.of(value)));
    return logged(
        new Request.Keyed(
            Scope.NONE,
            Key.dated(System.currentTimeMillis() * 1_000, random.nextLong()),
            null,
            List.of(),
            ServiceDirectory.address(ServiceDirectory.KEY_VALUE, command)));
  }

  /** Asks for what was stored: short to ask, long to answer. */
  static Question page() {
    return new Question.Query(
        ServiceDirectory.address(
            ServiceDirectory.KEY_VALUE,
            KeyValueCommand.encode(new KeyValueCommand.Page(PREFIX, Bytes.EMPTY, 1_000))));
  }

  /** Asks for a number. */
  static Question count() {
    return new Question.CountOlderThan(1);
  }

  static Question keepAlive() {
    return keepAlive(2);
  }

  static Question keepAlive(long session) {
    return logged(new Request.KeepAlive(new Request.Address(1, session, session), 1));
  }

  /** Adds to a counter, always under the same key, and acknowledges others. */
  static Question acknowledging(Key key, List<Key> acknowledged) {
    return logged(new Request.Keyed(Scope.NONE, key, null, acknowledged, adding()));
  }

  static Question digest() {
    return new Question.Status(true);
  }

  static Question status() {
    return new Question.Status(false);
  }

  /** Asks the key-value service something that it does not understand. */
  static Question query(int length) {
    return new Question.Query(
        ServiceDirectory.address(ServiceDirectory.KEY_VALUE, Bytes.of(new byte[length])));
  }

  /**
   * A request of the next session that never was, with the one sequence for which {@code session *
   * factor + sequence} is 0: an earlier door hashed that sum alone.
   */
  static Question colliding(long[] lastSession) {
    long sequence;
    do {
      lastSession[0]++;
      sequence = -lastSession[0] * COLLIDING_FACTOR;
    } while (sequence <= 0);
    Request.Address address = new Request.Address(1, lastSession[0], lastSession[0]);
    return logged(new Request.InSession(address, sequence, 1, null, adding()));
  }

  /**
   * A message with one keep-alive, and behind it a field that nobody knows, of this length. Each is
   * of another session: copies of the same would not be kept at all.
   */
  static byte[] stowaway(Random random, int length) {
    Question keepAlive = keepAlive(random.nextLong(1, 1L << 60));
    byte[] asked = Questions.encode(List.of(new Questions.Asked(1, keepAlive)));
    byte[] body = new byte[asked.length + length];
    System.arraycopy(asked, 0, body, 0, asked.length);
    int at = asked.length;
    int rest = length - 6;
    // Field 1000, delimited.
    body[at++] = (byte) 0xc2;
    body[at++] = (byte) 0x3e;
    body[at++] = (byte) (rest & 127 | 128);
    body[at++] = (byte) (rest >> 7 & 127 | 128);
    body[at++] = (byte) (rest >> 14 & 127 | 128);
    body[at] = (byte) (rest >> 21);
    return Frames.message(body);
  }
}
