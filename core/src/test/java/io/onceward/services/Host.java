package io.onceward.services;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Command;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Calls a service as a replica would: positions grow, time is what the test says. */
final class Host {
  final Service service;
  long timeMillis = 1_000_000;

  /** How much of that was no work: an outage, or a clock that jumped. */
  long jumpedMillis;

  private long position;

  Host(Service service) {
    this.service = service;
  }

  long ageMillis() {
    return timeMillis - jumpedMillis;
  }

  /** Log time goes on and age does not. */
  void jump(long millis) {
    timeMillis += millis;
    jumpedMillis += millis;
  }

  Reply execute(Bytes payload) {
    // A payload is valid only during the call: what the service keeps of it must be a copy.
    byte[] fleeting = payload.toArray();
    service.expire(ageMillis());
    Reply reply =
        service.execute(
            new Command(Bytes.of(fleeting), "anonymous", ++position, timeMillis, ageMillis()));
    Reply kept = new Reply(reply.kind(), Bytes.of(reply.bytes().toArray()));
    java.util.Arrays.fill(fleeting, (byte) 0xee);
    return kept;
  }

  /** What stands in the way of a command when this much is left. */
  String obstacle(Bytes payload, long bytesLeft) {
    service.expire(ageMillis());
    return service.obstacle(
        new Command(payload, "anonymous", position + 1, timeMillis, ageMillis()), bytesLeft);
  }

  Reply query(Bytes payload) {
    return service.query(new Command(payload, "anonymous", position, timeMillis, ageMillis()));
  }

  /** The reply to a command that must succeed. */
  Bytes done(Bytes payload) {
    return ok(execute(payload));
  }

  /** The answer to a query that must succeed. */
  Bytes told(Bytes payload) {
    return ok(query(payload));
  }

  /** The text of the business error that a command must meet. */
  String refused(Bytes payload) {
    return error(execute(payload));
  }

  static Bytes ok(Reply reply) {
    assertThat(reply.kind()).as("%s", reply).isEqualTo(Reply.Kind.OK);
    return reply.bytes();
  }

  static String error(Reply reply) {
    assertThat(reply.kind()).as("%s", reply).isEqualTo(Reply.Kind.BUSINESS_ERROR);
    return reply.bytes().asText();
  }

  byte[] snapshot() {
    return write(service.freeze());
  }

  static byte[] write(Frozen frozen) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      frozen.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  void restore(byte[] snapshot) {
    try {
      service.restore(new ByteArrayInputStream(snapshot));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A host of another service that goes on where this one is. */
  Host successor(Service fresh) {
    Host host = new Host(fresh);
    host.restore(snapshot());
    host.timeMillis = timeMillis;
    host.jumpedMillis = jumpedMillis;
    host.position = position;
    return host;
  }
}
