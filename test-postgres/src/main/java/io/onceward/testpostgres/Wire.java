package io.onceward.testpostgres;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The network between a client and PostgreSQL: counts round trips, and loses what it is told to
 * lose. A round trip begins when the client sends something after the server has spoken.
 */
public final class Wire implements Closeable {
  /** What happens to the next message of a client that has a certain text in it. */
  public enum Fault {
    /** It arrives; its answer does not, and the client's connection breaks. */
    LOSE_THE_ANSWER,
    /**
     * It arrives, and then the server panics, as it does if it cannot sync its log: it says so,
     * ends all connections, and takes no more until {@link #mend} is called.
     */
    PANIC,
    /** It does not arrive, and both sides see their connection break. */
    LOSE_THE_MESSAGE,
    /**
     * The client's connection breaks; the message arrives later, when {@link #deliver} is called.
     */
    DELAY_THE_MESSAGE
  }

  private record Plan(String text, Fault fault) {}

  private final ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final int serverPort;
  private final AtomicInteger roundTrips = new AtomicInteger();
  private final AtomicReference<@Nullable Plan> plan = new AtomicReference<>();
  private final CountDownLatch faulted = new CountDownLatch(1);
  private final AtomicInteger strikes = new AtomicInteger();
  private final CountDownLatch delivery = new CountDownLatch(1);
  private final Set<Line> lines = ConcurrentHashMap.newKeySet();
  private volatile boolean cut;

  /** To the server that listens on this port of the loopback. */
  public Wire(int serverPort) throws IOException {
    this.serverPort = serverPort;
    daemon(this::accept);
  }

  /** The same database, over this wire. */
  public PGSimpleDataSource over(PGSimpleDataSource direct) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {"127.0.0.1"});
    source.setPortNumbers(new int[] {door.getLocalPort()});
    source.setDatabaseName(direct.getDatabaseName());
    source.setCurrentSchema(direct.getCurrentSchema());
    source.setUser(direct.getUser());
    return source;
  }

  /** Round trips since the last time this was asked. */
  public int roundTrips() {
    return roundTrips.getAndSet(0);
  }

  /** Strikes once, at the next message with this text. */
  public void when(String text, Fault fault) {
    plan.set(new Plan(text, fault));
  }

  /** Whether a fault has done its work. */
  public boolean hasStruck() {
    return faulted.getCount() == 0;
  }

  /** How many faults have done their work. */
  public int strikes() {
    return strikes.get();
  }

  /** Lets a delayed message through. */
  public void deliver() {
    delivery.countDown();
  }

  /** Breaks all connections, and each new one too, until it is mended. */
  public void cut() {
    cut = true;
    lines.forEach(Line::hangUp);
  }

  /** Ends what {@link #cut} began. */
  public void mend() {
    cut = false;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = door.accept();
        if (cut) {
          client.close();
          continue;
        }
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        new Line(client, server).start();
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  /** One connection. */
  private final class Line {
    private final Socket client;
    private final Socket server;
    private volatile boolean serverSpoke = true;
    private volatile boolean deaf;

    Line(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void hangUp() {
      closeQuietly(client);
      closeQuietly(server);
    }

    void start() {
      lines.add(this);
      daemon(this::toServer);
      daemon(this::toClient);
    }

    private void toServer() {
      byte[] buffer = new byte[1 << 16];
      try (InputStream in = client.getInputStream()) {
        OutputStream out = server.getOutputStream();
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          if (serverSpoke) {
            serverSpoke = false;
            roundTrips.incrementAndGet();
          }
          Plan next = plan.get();
          String sent = new String(buffer, 0, read, StandardCharsets.ISO_8859_1);
          if (next != null && sent.contains(next.text()) && plan.compareAndSet(next, null)) {
            strike(next.fault(), out, buffer, read);
            return;
          }
          out.write(buffer, 0, read);
        }
        server.close();
      } catch (IOException | InterruptedException broken) {
        hangUp();
      }
    }

    private void strike(Fault fault, OutputStream out, byte[] message, int length)
        throws IOException, InterruptedException {
      deaf = true;
      switch (fault) {
        case LOSE_THE_ANSWER, PANIC -> out.write(message, 0, length);
        case LOSE_THE_MESSAGE -> server.close();
        case DELAY_THE_MESSAGE -> {
          struck();
          client.close();
          delivery.await();
          out.write(message, 0, length);
        }
      }
      // Only when the server has dealt with it, so that tests know what happened.
      if (fault != Fault.LOSE_THE_MESSAGE) {
        server.shutdownOutput();
        server.getInputStream().transferTo(OutputStream.nullOutputStream());
      }
      if (fault == Fault.PANIC) {
        cut = true;
        client.getOutputStream().write(panic());
      }
      if (fault != Fault.DELAY_THE_MESSAGE) {
        struck();
        client.close();
      }
    }

    /** Told before the client can see it, so that nobody sees the end of a connection first. */
    private void struck() {
      strikes.incrementAndGet();
      faulted.countDown();
    }

    private void toClient() {
      byte[] buffer = new byte[1 << 16];
      try {
        InputStream in = server.getInputStream();
        OutputStream out = client.getOutputStream();
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          if (!deaf) {
            serverSpoke = true;
            out.write(buffer, 0, read);
          }
        }
        hangUpOnClient();
      } catch (IOException broken) {
        hangUpOnClient();
      }
    }

    /** While a fault is at work, the end of the client's connection is the fault's to time. */
    private void hangUpOnClient() {
      if (!deaf) {
        closeQuietly(client);
      }
    }
  }

  /** As the protocol has it: a type, a length, and fields that each end with a zero. */
  private static byte[] panic() {
    byte[] fields =
        "SPANIC\0VPANIC\0C58030\0Mcould not fsync file\0\0".getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(5 + fields.length)
        .put((byte) 'E')
        .putInt(4 + fields.length)
        .put(fields)
        .array();
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException gone) {
      // That is what was wanted.
    }
  }

  private static void daemon(Runnable body) {
    Thread thread = new Thread(body, "wire");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    door.close();
  }
}
