package io.onceward.server.engine.ratis;

import io.onceward.server.engine.EngineSettings;
import io.onceward.server.engine.Machine;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;

/**
 * Takes snapshots when they are due or asked for. The machine is frozen between two entries, by who
 * applies; the writing is done by a thread of its own, of which there is at most one.
 */
final class SnapshotWriter {
  private static final long LOOK_MILLIS = 10;

  private final EngineSettings settings;
  private final Machine machine;
  private final SnapshotFolder folder;
  private final LongConsumer purge;
  private final Failure failure;

  // What follows is guarded by the lock under which entries are applied.
  private long entries;
  private long bytes;

  // And this by the monitor of this object.
  private @Nullable Job job;
  private boolean suspended;

  /** Read by who applies, written by who writes: a hint for when the next one is due. */
  private volatile long lastBytes;

  private static final class Job {
    final CompletableFuture<Long> done = new CompletableFuture<>();
    final TermIndex at;
    volatile boolean cancelled;
    @Nullable Thread thread;

    Job(TermIndex at) {
      this.at = at;
    }
  }

  /**
   * @param purge told the index up to which the log may be dropped
   */
  SnapshotWriter(
      EngineSettings settings,
      Machine machine,
      SnapshotFolder folder,
      LongConsumer purge,
      Failure failure) {
    this.settings = settings;
    this.machine = machine;
    this.folder = folder;
    this.purge = purge;
    this.failure = failure;
  }

  /** Starts to count anew: the machine was restored from the latest snapshot. */
  void restored(long snapshotBytes) {
    lastBytes = snapshotBytes;
    entries = 0;
    bytes = 0;
    synchronized (this) {
      suspended = false;
    }
  }

  /** Counts an applied entry. Called with the lock of applying held, as is {@link #take}. */
  void applied(TermIndex at, int entryBytes) {
    entries++;
    bytes += entryBytes;
    boolean due =
        entries >= settings.snapshotEveryEntries()
            || bytes >= Math.max(settings.snapshotEveryBytes(), lastBytes);
    if (due && !busy() && !machine.holdsSnapshotBack()) {
      // If it is not begun, it is due with the next entry still.
      var unused = begin(at);
    }
  }

  /**
   * A snapshot of what is applied now, or of something later.
   *
   * @param again asks once more, should an older snapshot have to be finished first, or something
   *     else that stands frozen
   */
  CompletableFuture<Long> take(TermIndex at, Supplier<CompletableFuture<Long>> again) {
    Job running;
    synchronized (this) {
      running = job;
    }
    if (running != null) {
      return running.at.getIndex() >= at.getIndex()
          ? running.done
          : running.done.exceptionally(given -> -1L).thenCompose(older -> again.get());
    }
    if (at.getIndex() <= folder.latestIndex()) {
      return CompletableFuture.completedFuture(folder.latestIndex());
    }
    Job begun = begin(at);
    return begun != null
        ? begun.done
        : CompletableFuture.runAsync(
                () -> {}, CompletableFuture.delayedExecutor(LOOK_MILLIS, TimeUnit.MILLISECONDS))
            .thenCompose(later -> again.get());
  }

  /**
   * Gives up what is being written, and writes nothing more until the machine is restored; returns
   * when nothing is being written.
   */
  void suspend() {
    Thread writing = null;
    synchronized (this) {
      suspended = true;
      if (job != null) {
        job.cancelled = true;
        writing = job.thread;
      }
    }
    boolean interrupted = false;
    while (writing != null && writing.isAlive() && writing != Thread.currentThread()) {
      try {
        writing.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean busy() {
    return job != null || suspended;
  }

  /** Null if the machine cannot be frozen now. */
  private @Nullable Job begin(TermIndex at) {
    Job begun = new Job(at);
    Machine.View frozen = machine.freeze();
    if (frozen == null) {
      return null;
    }
    try {
      start(begun, frozen);
    } catch (Throwable noThread) {
      end(begun);
      frozen.close();
      throw noThread;
    }
    return begun;
  }

  private void start(Job begun, Machine.View frozen) {
    entries = 0;
    bytes = 0;
    Thread thread = new Thread(() -> run(begun, frozen), "onceward-snapshot");
    thread.setDaemon(true);
    synchronized (this) {
      if (suspended) {
        begun.done.completeExceptionally(
            new CancellationException("a snapshot is being received, or this node is stopping"));
        frozen.close();
        return;
      }
      begun.thread = thread;
      job = begun;
    }
    thread.start();
  }

  private void run(Job job, Machine.View frozen) {
    try (frozen) {
      byte[] md5 = write(job, frozen);
      long notNeeded = folder.publish(job.at, md5);
      end(job);
      long kept = job.at.getIndex() - settings.entriesKeptBehindSnapshot();
      if (notNeeded >= 0 && kept >= 0) {
        purge.accept(Math.min(notNeeded, kept));
      }
      job.done.complete(job.at.getIndex());
    } catch (CancellationException given) {
      end(job);
      job.done.completeExceptionally(given);
    } catch (Throwable problem) {
      end(job);
      failure.fail(
          "the snapshot at position "
              + job.at.getIndex()
              + " could not be written to "
              + settings.folder()
              + ": "
              + Failure.reason(problem),
          problem);
      job.done.completeExceptionally(problem);
    }
  }

  private synchronized void end(Job ended) {
    if (job == ended) {
      job = null;
    }
  }

  private byte[] write(Job job, Machine.View frozen) throws IOException {
    Path draft = folder.draft(job.at);
    MessageDigest md5 = MD5FileUtil.newMD5();
    boolean complete = false;
    try (FileChannel channel =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      OutputStream file = new Cancellable(Channels.newOutputStream(channel), job);
      try (OutputStream out =
          new BufferedOutputStream(new DigestOutputStream(file, md5), 1 << 18)) {
        frozen.writeTo(out);
        out.flush();
        channel.force(true);
        lastBytes = channel.size();
      }
      complete = true;
    } finally {
      if (!complete) {
        Files.deleteIfExists(draft);
      }
    }
    if (job.cancelled) {
      Files.deleteIfExists(draft);
      throw new CancellationException("the snapshot was given up");
    }
    return md5.digest();
  }

  /** Throws at the next write once the job is cancelled. */
  private static final class Cancellable extends FilterOutputStream {
    private final Job job;

    Cancellable(OutputStream out, Job job) {
      super(out);
      this.job = job;
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
      if (job.cancelled) {
        throw new CancellationException("the snapshot was given up");
      }
      out.write(source, offset, length);
    }
  }
}
