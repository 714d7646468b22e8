package io.onceward.cli.it;

import io.onceward.Bytes;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.replica.Request;
import io.onceward.services.CounterCommand;
import io.onceward.services.CounterReply;
import io.onceward.services.KeyValueCommand;
import io.onceward.services.ServiceDirectory;
import java.util.List;

/** What tests ask of the services, as bytes. */
final class Commands {
  private Commands() {}

  static final String COUNTER = ServiceDirectory.COUNTER;

  /** Adds 1 to a counter; the reply tells where it stands then. */
  static Bytes add(String name) {
    return CounterCommand.encode(new CounterCommand.Add(name, 1));
  }

  static Bytes get(String name) {
    return CounterCommand.encode(new CounterCommand.Get(name));
  }

  static long value(Reply reply) {
    if (reply.kind() != Reply.Kind.OK) {
      throw new AssertionError("not a counter's reply: " + reply);
    }
    return CounterReply.decode(reply.bytes()).value();
  }

  /** Adds 1 under a key. */
  static Request.Keyed keyedAdd(Key key, String name) {
    return keyed(key, ServiceDirectory.address(COUNTER, add(name)));
  }

  /** Stores so many bytes under a key, always in the same place: a way to fill logs, not tables. */
  static Request.Keyed bulk(Key key, int bytes) {
    Bytes command =
        KeyValueCommand.encode(
            new KeyValueCommand.Put(Bytes.utf8("bulk"), Bytes.of(new byte[bytes])));
    return keyed(key, ServiceDirectory.address(ServiceDirectory.KEY_VALUE, command));
  }

  private static Request.Keyed keyed(Key key, Bytes command) {
    return new Request.Keyed(Scope.NONE, key, Fingerprint.ofPayload(command), List.of(), command);
  }
}
