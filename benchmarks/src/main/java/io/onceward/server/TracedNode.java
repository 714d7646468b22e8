package io.onceward.server;

import io.onceward.Service;
import io.onceward.server.engine.Engine;
import io.onceward.server.engine.EngineSettings;
import io.onceward.server.engine.Machine;
import io.onceward.server.engine.ratis.RatisEngine;
import io.onceward.wire.Member;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The pieces that {@link OncewardServer} puts together, with a clock between node and engine: for
 * each entry of this node it tells when it was handed to the log, when it came back, and when what
 * was decided had been handed to the clients' connections.
 */
public final class TracedNode implements AutoCloseable {

  /** Hears of each entry, on the thread that applied it; times are those of {@code nanoTime}. */
  @FunctionalInterface
  public interface Trace {
    void passed(long submitted, long applied, long answered);
  }

  private record Timed(Object handle, long nanos) {}

  private final Node node;
  private final Gateway gateway;
  private final Engine engine;

  private TracedNode(Node node, Gateway gateway, Engine engine) {
    this.node = node;
    this.gateway = gateway;
    this.engine = engine;
  }

  /** Starts a node. */
  public static TracedNode start(
      Path folder, Member self, List<Member> members, Service service, Trace trace)
      throws IOException {
    ServerSettings settings = ServerSettings.of(folder, self, members);
    Node node = new Node(settings, service);
    InetSocketAddress address = new InetSocketAddress(self.host(), self.clientPort());
    Gateway gateway = Gateway.open(node, address, GatewayLimits.DEFAULT);
    Engine engine =
        RatisEngine.start(
            EngineSettings.of(folder, self, members),
            new TracedMachine(node, trace),
            started -> node.attach(new TracedEngine(started)));
    return new TracedNode(node, gateway, engine);
  }

  /** Waits until this node knows who leads. */
  public void awaitReady() {
    node.ready().join();
  }

  @Override
  public void close() {
    node.close();
    gateway.close();
    engine.close();
  }

  private record TracedEngine(Engine engine) implements Engine {
    @Override
    public void submit(byte[] entry, Object handle) {
      engine.submit(entry, new Timed(handle, System.nanoTime()));
    }

    @Override
    public CompletableFuture<Void> readBarrier() {
      return engine.readBarrier();
    }

    @Override
    public CompletableFuture<Long> takeSnapshot() {
      return engine.takeSnapshot();
    }

    @Override
    public CompletableFuture<Void> transferLeadership(String member) {
      return engine.transferLeadership(member);
    }

    @Override
    public CompletableFuture<Void> addMember(Member member) {
      return engine.addMember(member);
    }

    @Override
    public CompletableFuture<Void> removeMember(String id) {
      return engine.removeMember(id);
    }

    @Override
    public Status status() {
      return engine.status();
    }

    @Override
    public void close() {
      engine.close();
    }
  }

  private record TracedMachine(Machine machine, Trace trace) implements Machine {
    @Override
    public void apply(long position, long term, byte[] entry, @Nullable Object handle) {
      if (handle instanceof Timed timed) {
        long applied = System.nanoTime();
        machine.apply(position, term, entry, timed.handle());
        trace.passed(timed.nanos(), applied, System.nanoTime());
      } else {
        machine.apply(position, term, entry, null);
      }
    }

    @Override
    public void lost(Object handle, String reason) {
      machine.lost(handle instanceof Timed timed ? timed.handle() : handle, reason);
    }

    @Override
    public String cluster() {
      return machine.cluster();
    }

    @Override
    public long position() {
      return machine.position();
    }

    @Override
    public @Nullable View freeze() {
      return machine.freeze();
    }

    @Override
    public boolean holdsSnapshotBack() {
      return machine.holdsSnapshotBack();
    }

    @Override
    public void restore(InputStream in) throws IOException {
      machine.restore(in);
    }

    @Override
    public void leading(long term) {
      machine.leading(term);
    }

    @Override
    public void following(@Nullable Member leader) {
      machine.following(leader);
    }

    @Override
    public void failed(String what, Throwable cause) {
      machine.failed(what, cause);
    }
  }
}
