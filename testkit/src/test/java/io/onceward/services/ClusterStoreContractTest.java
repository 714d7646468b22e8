package io.onceward.services;

import io.onceward.guard.ClaimStore;
import io.onceward.testkit.stores.ClaimStoreContract;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The store in a cluster keeps the contract of all stores: through client, wire, log and disk. */
class ClusterStoreContractTest extends ClaimStoreContract {
  @TempDir private static Path folder;
  private static LoneServer server;

  @BeforeAll
  static void start() throws Exception {
    server = new LoneServer(folder.resolve("node"), ServiceDirectory.shipped());
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @Override
  protected ClaimStore freshStore() {
    return server.emptyStore();
  }

  @Override
  protected void passTime(Duration atLeast) {
    LoneServer.passTime(atLeast);
  }

  /** Time is real here, and each step waits for the disk. */
  @Override
  protected int rounds() {
    return 10;
  }

  @Override
  protected int seeds() {
    return 5;
  }
}
