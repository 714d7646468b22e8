package io.onceward.services;

import io.onceward.DamagedException;
import io.onceward.Service;
import io.onceward.fuzz.Frugal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Searches for states, as a snapshot from another node brings them, that upset the services that
 * ship: any exception but damage or {@link IOException}, or a state that is another one once it was
 * written.
 */
public final class StatesTarget {
  private static final List<Supplier<Service>> SERVICES =
      List.of(
          KeyValueService::new,
          CounterService::new,
          LeaseService::new,
          ClaimService::new,
          ServiceDirectory::shipped);

  private StatesTarget() {}

  /** The first byte chooses the service. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length > 0) {
      Service service = SERVICES.get((input[0] & 0xff) % SERVICES.size()).get();
      Frugal.check(input.length, () -> check(service, input));
    }
  }

  private static void check(Service service, byte[] input) throws IOException {
    try {
      service.restore(new ByteArrayInputStream(input, 1, input.length - 1));
    } catch (IOException refused) {
      if (refused.getMessage() == null) {
        throw new AssertionError("refused without a reason", refused);
      }
      throw new DamagedException("state of a service", 0, refused.getMessage());
    }
    byte[] once = frozen(service);
    service.restore(new ByteArrayInputStream(once));
    if (!Arrays.equals(frozen(service), once)) {
      throw new AssertionError("a state is another one once it was written");
    }
  }

  private static byte[] frozen(Service service) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    service.freeze().writeTo(bytes);
    return bytes.toByteArray();
  }
}
