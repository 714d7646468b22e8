package io.onceward.services;

import io.onceward.Service;
import io.onceward.client.ClusterStore;
import io.onceward.client.Onceward;
import io.onceward.server.FreePorts;
import io.onceward.server.OncewardServer;
import io.onceward.server.ServerSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A real node in this process, a client of it, and as many empty stores as one likes. */
final class LoneServer implements AutoCloseable {
  private final OncewardServer server;
  private final Onceward client;
  private final AtomicInteger stores = new AtomicInteger();

  LoneServer(Path folder, Service service) throws Exception {
    server =
        OncewardServer.start(
            ServerSettings.alone(folder, FreePorts.one(), FreePorts.one()), service);
    server.ready().get(30, TimeUnit.SECONDS);
    client = Onceward.connect("127.0.0.1:" + server.clientPort());
  }

  ClusterStore emptyStore() {
    return ClusterStore.on(client)
        .name("store " + stores.incrementAndGet())
        .sweepEvery(Duration.ZERO)
        .open();
  }

  /** Log time is this machine's: the leader stamps each entry with it. */
  static void passTime(Duration atLeast) {
    long end = System.currentTimeMillis() + atLeast.toMillis() + 1;
    for (long left = 1; left > 0; left = end - System.currentTimeMillis()) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(left));
    }
  }

  @Override
  public void close() throws IOException {
    client.close();
    server.close();
  }
}
