package io.onceward.client;

import io.onceward.client.transport.GrpcTransport;
import io.onceward.client.transport.Line;
import io.onceward.client.transport.Transport;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The real transport, with lines that fail to send or are never ready when a test wants that. */
final class UnreliableTransport implements Transport {
  private final Transport real = new GrpcTransport(2_000);

  final AtomicInteger sent = new AtomicInteger();

  /** Called before each message is sent; what it throws, sending throws. */
  volatile Consumer<byte[]> beforeSend = message -> {};

  /** Called before a line says whether it is ready; what it throws, asking throws. */
  volatile Runnable beforeReady = () -> {};

  /** Called before a task is handed to the network's thread; what it throws, handing throws. */
  volatile Runnable beforeExecute = () -> {};

  /** Whether lines take messages. */
  volatile boolean ready = true;

  @Override
  public Line connect(String address, Line.Listener listener) {
    Line line = real.connect(address, listener);
    return new Line() {
      @Override
      public boolean isReady() {
        beforeReady.run();
        return ready && line.isReady();
      }

      @Override
      public void send(byte[] message) {
        beforeSend.accept(message);
        sent.incrementAndGet();
        line.send(message);
      }

      @Override
      public void close(String reason) {
        line.close(reason);
      }
    };
  }

  @Override
  public void execute(Runnable task) {
    beforeExecute.run();
    real.execute(task);
  }

  @Override
  public void schedule(Runnable task, long delayMillis) {
    real.schedule(task, delayMillis);
  }

  @Override
  public boolean isTransportThread() {
    return real.isTransportThread();
  }

  @Override
  public void close() {
    real.close();
  }
}
