package io.onceward.services;

import io.onceward.guard.ClaimStore;
import io.onceward.testkit.stores.BoundedStoreContract;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** Both limits of the claims service. In this package, since they are not for setting. */
class BoundedClusterStoreTest {
  @Nested
  class InRecords extends Bounded {
    @Override
    ClaimService service() {
      return new ClaimService(10, Long.MAX_VALUE);
    }
  }

  @Nested
  class InBytes extends Bounded {
    @Override
    ClaimService service() {
      return new ClaimService(1_000, 700_000);
    }
  }

  abstract static class Bounded extends BoundedStoreContract {
    @TempDir private Path folder;
    private LoneServer server;
    private int servers;

    abstract ClaimService service();

    /** Stores share the limits, so that an empty one needs an empty cluster. */
    @Override
    protected ClaimStore freshStore() throws Exception {
      stopServer();
      ServiceDirectory directory = new ServiceDirectory(Map.of("claims", service()));
      server = new LoneServer(folder.resolve("node" + servers++), directory);
      return server.emptyStore();
    }

    @AfterEach
    void stopServer() throws Exception {
      if (server != null) {
        server.close();
        server = null;
      }
    }

    @Override
    protected int more() {
      return 30;
    }

    @Override
    protected void passTime(Duration atLeast) {
      LoneServer.passTime(atLeast);
    }
  }
}
