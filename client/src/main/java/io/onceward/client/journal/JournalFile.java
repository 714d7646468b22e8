package io.onceward.client.journal;

import io.onceward.DamagedException;
import io.onceward.client.session.Journal;
import io.onceward.client.session.JournalRecord;
import io.onceward.client.session.JournalState;
import io.onceward.client.session.SessionPlan;
import io.onceward.files.FileInUseException;
import io.onceward.files.Folders;
import io.onceward.files.ProcessLock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A journal in a file (C5), used by one process at a time.
 *
 * <p>Appending copies a record into memory; one sync makes all durable that has come together, on
 * the given executor, with a single call unless it is very long. A sync that failed is never tried
 * again: what the disk then holds is not known, so the journal is dead and says so.
 *
 * <p>The file is rewritten without what is no longer needed when it has grown to several times of
 * what is.
 */
public final class JournalFile implements Journal, AutoCloseable {

  /** Hears what becomes of the records. Called by the executor, or by whoever closes. */
  public interface Listener {
    /** Everything up to the record with this mark is durable. */
    void synced(long mark);

    /** Nothing more will become durable. */
    void failed(IOException cause);
  }

  /** A batch is closed when it is this long; one sync makes any number of them durable. */
  private static final int BATCH_BYTES = 16 << 20;

  private static final int SMALLEST_REWRITE_BYTES = 256 << 10;
  private static final long REWRITE_FACTOR = 4;

  private final Path path;
  private final String name;
  private final ProcessLock lock;
  private final Executor executor;
  private final JournalState recovered;

  /** Guards the file; taken before the monitor of this object, which guards the memory. */
  private final Object disk = new Object();

  private JournalWriter file;
  private long rewriteAtBytes;

  /** Records of one batch, the last of which can be taken back. */
  private static final class Records extends ByteArrayOutputStream {
    void cut(int bytes) {
      count = bytes;
    }
  }

  private final JournalState state;
  private final ArrayDeque<byte[]> closedBatches = new ArrayDeque<>();
  private Records unwritten = new Records();
  private long appended;
  private boolean syncing;
  private boolean closed;
  private @Nullable IOException failure;
  private @Nullable Listener listener;

  private JournalFile(
      Path path,
      String name,
      ProcessLock lock,
      JournalWriter file,
      JournalImage image,
      JournalState recovered,
      long rewriteAtBytes,
      Executor executor) {
    this.path = path;
    this.name = name;
    this.lock = lock;
    this.file = file;
    this.state = image.state();
    this.recovered = recovered;
    this.executor = executor;
    this.rewriteAtBytes = rewriteAtBytes;
  }

  private static long rewriteAt(long neededBytes) {
    return Math.max(SMALLEST_REWRITE_BYTES, REWRITE_FACTOR * neededBytes);
  }

  private static long neededBytes(List<JournalRecord> records) {
    long bytes = 0;
    for (JournalRecord record : records) {
      bytes += RecordCodec.encode(record).length;
    }
    return bytes;
  }

  /**
   * Opens the journal of a client, making one if there is none.
   *
   * @param executor where syncing happens; it may be shared with other journals
   * @throws IllegalArgumentException if no client can have that name
   * @throws JournalLockedException if it is in use
   * @throws DamagedException if it cannot be trusted; the message says where and why
   * @throws IOException if it belongs to another client, has hard links, or the disk fails
   */
  public static JournalFile open(Path path, String name, Executor executor) throws IOException {
    SessionPlan.checkName(name);
    Path home = path.toAbsolutePath().getParent();
    if (home != null) {
      Folders.make(home);
    }
    // A link to a journal is that journal, so its lock is the one beside the file itself.
    Path real = Files.exists(path) ? path.toRealPath() : path;
    ProcessLock lock = lock(real);
    try {
      return openLocked(real, name, lock, executor);
    } catch (IOException | RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  private static JournalFile openLocked(Path path, String name, ProcessLock lock, Executor executor)
      throws IOException {
    if (!Files.exists(path) || Files.size(path) == 0) {
      JournalFolder.replace(path, out -> JournalWriter.write(out, JournalImage.head(name)));
    }
    JournalFolder.requireOneName(path);
    // An earlier process may have been killed after it had replaced the file.
    JournalFolder.syncFolderOf(path);
    JournalImage image = read(path);
    if (!image.name().equals(name)) {
      throw new IOException(
          "journal " + path + " belongs to \"" + image.name() + "\", not to \"" + name + '"');
    }
    JournalState recovered = read(path).state();
    // By what is needed of it, not by its length: it may be long for what earlier processes left.
    long rewriteAtBytes = rewriteAt(neededBytes(recovered.records()));
    JournalWriter file = openAt(path, image.soundBytes(), image.batches());
    return new JournalFile(path, name, lock, file, image, recovered, rewriteAtBytes, executor);
  }

  private static JournalWriter openAt(Path path, long soundBytes, long batches) throws IOException {
    FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE);
    try {
      return new JournalWriter(file, soundBytes, batches);
    } catch (IOException | RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  private static JournalImage read(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      return JournalImage.read(JournalBytes.of(channel));
    }
  }

  /** Rewriting replaces the file itself, so the lock is on another one beside it. */
  private static ProcessLock lock(Path path) throws IOException {
    try {
      return ProcessLock.take(path.resolveSibling(path.getFileName() + ".lock"));
    } catch (FileInUseException e) {
      throw new JournalLockedException(path, e.holder());
    }
  }

  /** What an earlier process left; for the session that goes on with it. */
  public JournalState recovered() {
    return recovered;
  }

  /** Who is told; to be set before the first {@link #sync}. */
  public synchronized void listen(Listener whom) {
    listener = whom;
  }

  @Override
  public synchronized long append(JournalRecord record) {
    byte[] framed = framed(RecordCodec.encode(record));
    if (unwritten.size() >= BATCH_BYTES) {
      closeBatch();
    }
    int before = unwritten.size();
    // At once: half a record, after which memory ran out, would be synced with the next one.
    unwritten.writeBytes(framed);
    try {
      state.apply(record);
    } catch (RuntimeException | Error e) {
      unwritten.cut(before);
      throw e;
    }
    return ++appended;
  }

  private static byte[] framed(byte[] record) {
    return ByteBuffer.allocate(4 + record.length).putInt(record.length).put(record).array();
  }

  private void closeBatch() {
    if (unwritten.size() > 0) {
      closedBatches.add(unwritten.toByteArray());
      unwritten = new Records();
    }
  }

  @Override
  public void sync() {
    synchronized (this) {
      if (syncing || closed || failure != null) {
        return;
      }
      syncing = true;
    }
    try {
      executor.execute(this::syncAll);
    } catch (RuntimeException | Error e) {
      synchronized (this) {
        syncing = false;
      }
      throw e;
    }
  }

  private void syncAll() {
    try {
      while (syncOnce()) {}
    } catch (RuntimeException | Error e) {
      IOException failed = new IOException("the journal cannot be synced: " + e, e);
      Listener told;
      synchronized (this) {
        syncing = false;
        failure = failed;
        told = listener;
      }
      if (told != null) {
        told.failed(failed);
      }
    }
  }

  /** Makes durable what has come together so far; false if there was nothing. */
  private boolean syncOnce() {
    long mark;
    Listener told;
    IOException failed = null;
    synchronized (disk) {
      List<byte[]> batch;
      List<JournalRecord> rewritten;
      synchronized (this) {
        closeBatch();
        if (closedBatches.isEmpty() || failure != null || !file.isOpen()) {
          syncing = false;
          return false;
        }
        batch = List.copyOf(closedBatches);
        closedBatches.clear();
        mark = appended;
        told = listener;
        rewritten = rewriteAtBytes <= size() + bytes(batch) ? state.records() : null;
      }
      try {
        if (rewritten == null) {
          for (byte[] records : batch) {
            file.add(records);
          }
        } else {
          rewrite(rewritten);
        }
      } catch (IOException e) {
        failed = e;
      } catch (RuntimeException | Error e) {
        failed = new IOException("the journal cannot be written: " + e, e);
      }
      if (failed != null) {
        synchronized (this) {
          failure = failed;
        }
      }
    }
    if (told != null) {
      tell(told, mark, failed);
    }
    return true;
  }

  /** A listener that cannot hear that its records are durable would wait for ever. */
  private void tell(Listener told, long mark, @Nullable IOException failed) {
    if (failed != null) {
      told.failed(failed);
      return;
    }
    try {
      told.synced(mark);
    } catch (RuntimeException | Error e) {
      IOException unheard = new IOException("the session failed when its journal was synced", e);
      synchronized (this) {
        failure = failure == null ? unheard : failure;
      }
      told.failed(unheard);
    }
  }

  private static long bytes(List<byte[]> batch) {
    long bytes = 0;
    for (byte[] records : batch) {
      bytes += records.length;
    }
    return bytes;
  }

  private long size() {
    try {
      return file.bytes();
    } catch (IOException e) {
      return 0;
    }
  }

  /** Writes a file that means the same as everything that was ever appended. */
  private void rewrite(List<JournalRecord> records) throws IOException {
    long[] written = {0};
    JournalFolder.replace(
        path,
        out -> {
          JournalWriter.write(out, JournalImage.head(name));
          ByteArrayOutputStream batch = new ByteArrayOutputStream();
          for (JournalRecord record : records) {
            batch.writeBytes(framed(RecordCodec.encode(record)));
            if (batch.size() >= BATCH_BYTES) {
              writeBatch(out, ++written[0], batch);
            }
          }
          writeBatch(out, ++written[0], batch);
        });
    file.close();
    long bytes = Files.size(path);
    file = openAt(path, bytes, written[0]);
    rewriteAtBytes = rewriteAt(bytes);
  }

  private static void writeBatch(FileChannel out, long number, ByteArrayOutputStream batch)
      throws IOException {
    JournalWriter.write(out, JournalImage.batch(number, batch.toByteArray(), batch.size()));
    batch.reset();
  }

  /** Makes everything durable that was appended, and lets others use the journal. Idempotent. */
  @Override
  public void close() throws IOException {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    try {
      syncAll();
    } finally {
      synchronized (disk) {
        try {
          file.close();
        } finally {
          lock.close();
        }
      }
    }
    synchronized (this) {
      if (failure != null) {
        throw failure;
      }
    }
  }
}
