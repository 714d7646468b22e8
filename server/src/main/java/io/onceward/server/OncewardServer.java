package io.onceward.server;

import io.onceward.Service;
import io.onceward.server.engine.Engine;
import io.onceward.server.engine.EngineSettings;
import io.onceward.server.engine.ratis.RatisEngine;
import io.onceward.wire.NodeStatus;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/**
 * A running node. Several of them, in processes of their own, make a cluster; one alone is durable
 * too, it is only not there while it is down.
 */
public final class OncewardServer implements AutoCloseable {
  public static final String VERSION = "0.1.0";

  /** Why a node had to stop: one sentence for the operator, and what caused it. */
  public record Failure(String what, Throwable cause) {}

  private final DataFolder folder;
  private final Node node;
  private final Gateway gateway;
  private final Engine engine;
  private final CompletableFuture<Void> endAfterFailure;

  private OncewardServer(DataFolder folder, Node node, Gateway gateway, Engine engine) {
    this.folder = folder;
    this.node = node;
    this.gateway = gateway;
    this.engine = engine;
    // Or it would go on as leader, with its door shut, and keep the others from taking over.
    this.endAfterFailure = node.failure().thenRunAsync(engine::close, OncewardServer::inBackground);
  }

  /**
   * Starts a node and returns while it looks for the others; {@link #ready} tells when it serves.
   *
   * @throws IOException if the folder or a port cannot be used; the message says which and why
   */
  public static OncewardServer start(ServerSettings settings, Service service) throws IOException {
    DataFolder folder = DataFolder.take(settings.folder(), settings.self().id());
    Gateway gateway = null;
    try {
      Node node = new Node(settings, service);
      gateway =
          Gateway.open(
              node,
              new InetSocketAddress(settings.bindHost(), settings.self().clientPort()),
              settings.gateway());
      Engine engine = RatisEngine.start(engineSettings(settings, folder), node, node::attach);
      return new OncewardServer(folder, node, gateway, engine);
    } catch (IOException | RuntimeException | Error problem) {
      if (gateway != null) {
        gateway.close();
      }
      folder.close();
      throw problem;
    }
  }

  private static void inBackground(Runnable task) {
    Thread thread = new Thread(task, "onceward-failure");
    thread.setDaemon(true);
    thread.start();
  }

  private static EngineSettings engineSettings(ServerSettings settings, DataFolder folder) {
    EngineSettings engine =
        settings.join()
            ? EngineSettings.joining(folder.log(), settings.self())
            : EngineSettings.of(folder.log(), settings.self(), settings.members());
    return engine
        .withBindHost(settings.bindHost())
        .withSnapshots(
            settings.snapshotEveryEntries(),
            engine.snapshotEveryBytes(),
            settings.entriesKeptBehindSnapshot())
        .withElection(settings.electionLeastMillis(), settings.electionMostMillis());
  }

  /** Completes when this node first knows who leads. */
  public CompletableFuture<Void> ready() {
    return node.ready();
  }

  /** Completes if this node cannot go on and must be stopped: disk full, log damaged … */
  public CompletableFuture<Failure> failure() {
    return node.failure().thenApply(failure -> new Failure(failure.what(), failure.cause()));
  }

  /** Where clients reach this node. */
  public int clientPort() {
    return gateway.port();
  }

  public NodeStatus status() {
    return node.status(false);
  }

  @Override
  public void close() throws IOException {
    node.close();
    gateway.close();
    engine.close();
    if (node.failure().isDone()) {
      // The other one that closes it has to be through, too: then ports and files are free.
      var unused = endAfterFailure.exceptionally(problem -> null).join();
    }
    folder.close();
  }
}
