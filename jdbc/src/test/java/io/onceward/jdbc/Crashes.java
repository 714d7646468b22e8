package io.onceward.jdbc;

import io.onceward.testkit.world.Dice;
import io.onceward.testpostgres.PostgresServer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Kills a server again and again, each time after some statements more, until it is closed. */
final class Crashes implements AutoCloseable {
  private static final int SOONEST = 20;
  private static final int LATEST = 150;

  private final PostgresServer server;
  private final Dice dice;
  private final StatementCount statements;
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private final Thread thread = new Thread(this::run, "crashes");

  Crashes(PostgresServer server, Dice dice, StatementCount statements) {
    this.server = server;
    this.dice = dice;
    this.statements = statements;
    statements.begin();
    thread.start();
  }

  private void run() {
    try {
      while (statements.awaitMore(dice.between(SOONEST, LATEST))) {
        server.crashAndRecover();
        count.incrementAndGet();
      }
    } catch (RuntimeException | InterruptedException e) {
      failure.set(e);
    }
  }

  int count() {
    return count.get();
  }

  /** The server is up when this returns. */
  @Override
  public void close() {
    statements.end();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Exception failed = failure.get();
    if (failed != null) {
      throw new IllegalStateException("the server does not come back", failed);
    }
  }
}
