package io.onceward.services;

import io.onceward.Bytes;
import io.onceward.fuzz.Frugal;
import java.util.List;
import java.util.function.Function;

/**
 * Searches for payloads that upset the decoders of the services that ship, which read what any
 * client sends and what any node answers: any exception but damage, memory taken for a length that
 * only was claimed, or two forms of one command or reply.
 */
public final class PayloadsTarget {
  private static final List<Function<Bytes, Bytes>> AGAIN =
      List.of(
          payload -> KeyValueCommand.encode(KeyValueCommand.decode(payload)),
          payload -> KeyValueReply.encode(KeyValueReply.decode(payload)),
          payload -> CounterCommand.encode(CounterCommand.decode(payload)),
          payload -> CounterReply.encode(CounterReply.decode(payload)),
          payload -> LeaseCommand.encode(LeaseCommand.decode(payload)),
          payload -> LeaseReply.encode(LeaseReply.decode(payload)),
          payload -> ClaimCommand.encode(ClaimCommand.decode(payload)),
          payload -> ClaimReply.encode(ClaimReply.decode(payload)));

  private PayloadsTarget() {}

  /** The first byte chooses the decoder. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length > 0) {
      Function<Bytes, Bytes> again = AGAIN.get((input[0] & 0xff) % AGAIN.size());
      Bytes payload = Bytes.of(input).slice(1, input.length - 1);
      Frugal.check(input.length, () -> check(again, payload));
    }
  }

  private static void check(Function<Bytes, Bytes> again, Bytes payload) {
    if (!again.apply(payload).equals(payload)) {
      throw new AssertionError("a second form of one payload");
    }
  }
}
