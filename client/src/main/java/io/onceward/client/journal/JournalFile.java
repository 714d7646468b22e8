package io.onceward.client.journal;

import io.onceward.DamagedException;
import io.onceward.client.session.Journal;
import io.onceward.client.session.JournalRecord;
import io.onceward.client.session.JournalState;
import io.onceward.files.FileInUseException;
import io.onceward.files.ProcessLock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A journal in a file (C5), used by one process at a time.
 *
 * <p>Appending copies a record into memory; one sync writes all that has come together and makes it
 * durable with a single call, on the given executor. A sync that failed is never tried again: what
 * the disk then holds is not known, so the journal is dead and says so.
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

  private static final int SMALLEST_REWRITE_BYTES = 256 << 10;
  private static final int REWRITE_FACTOR = 4;

  private final Path path;
  private final String name;
  private final ProcessLock lock;
  private final Executor executor;
  private final JournalState recovered;

  /** Guards the file; taken before the monitor of this object, which guards the memory. */
  private final Object disk = new Object();

  private FileChannel file;
  private long batches;
  private long rewriteAtBytes;

  private final JournalState state;
  private ByteArrayOutputStream unwritten = new ByteArrayOutputStream();
  private long appended;
  private boolean syncing;
  private boolean closed;
  private @Nullable IOException failure;
  private @Nullable Listener listener;

  private JournalFile(
      Path path,
      String name,
      ProcessLock lock,
      FileChannel file,
      JournalImage image,
      JournalState recovered,
      Executor executor) {
    this.path = path;
    this.name = name;
    this.lock = lock;
    this.file = file;
    this.batches = image.batches();
    this.state = image.state();
    this.recovered = recovered;
    this.executor = executor;
    this.rewriteAtBytes =
        Math.max(SMALLEST_REWRITE_BYTES, (long) REWRITE_FACTOR * image.soundBytes());
  }

  /**
   * Opens the journal of a client, making one if there is none.
   *
   * @param executor where syncing happens; it may be shared with other journals
   * @throws JournalLockedException if it is in use
   * @throws DamagedException if it cannot be trusted; the message says where and why
   * @throws IOException if it belongs to another client, or the disk fails
   */
  public static JournalFile open(Path path, String name, Executor executor) throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
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
      replace(path, JournalImage.head(name));
    }
    byte[] content = Files.readAllBytes(path);
    JournalImage image = JournalImage.read(content);
    if (!image.name().equals(name)) {
      throw new IOException(
          "journal " + path + " belongs to \"" + image.name() + "\", not to \"" + name + '"');
    }
    FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE);
    try {
      file.truncate(image.soundBytes());
      file.position(image.soundBytes());
    } catch (IOException e) {
      file.close();
      throw e;
    }
    JournalState recovered = JournalImage.read(content).state();
    return new JournalFile(path, name, lock, file, image, recovered, executor);
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
    byte[] bytes = RecordCodec.encode(record);
    state.apply(record);
    unwritten.writeBytes(ByteBuffer.allocate(4).putInt(bytes.length).array());
    unwritten.writeBytes(bytes);
    return ++appended;
  }

  @Override
  public void sync() {
    synchronized (this) {
      if (syncing || closed || failure != null) {
        return;
      }
      syncing = true;
    }
    executor.execute(this::syncAll);
  }

  private void syncAll() {
    while (syncOnce()) {}
  }

  /** Makes durable what has come together so far; false if there was nothing. */
  private boolean syncOnce() {
    long mark;
    Listener told;
    IOException failed = null;
    synchronized (disk) {
      ByteArrayOutputStream batch;
      byte[] rewritten;
      synchronized (this) {
        if (unwritten.size() == 0 || failure != null || !file.isOpen()) {
          syncing = false;
          return false;
        }
        batch = unwritten;
        unwritten = new ByteArrayOutputStream();
        mark = appended;
        told = listener;
        rewritten = rewriteAtBytes <= size() + batch.size() ? rewritten() : null;
      }
      try {
        if (rewritten == null) {
          byte[] records = batch.toByteArray();
          write(file, JournalImage.batch(batches + 1, records, records.length));
          file.force(false);
          batches++;
        } else {
          rewrite(rewritten);
        }
      } catch (IOException e) {
        failed = e;
        synchronized (this) {
          failure = e;
        }
      }
    }
    if (told != null) {
      if (failed == null) {
        told.synced(mark);
      } else {
        told.failed(failed);
      }
    }
    return true;
  }

  private long size() {
    try {
      return file.position();
    } catch (IOException e) {
      return 0;
    }
  }

  /** Head and one batch that mean the same as everything that was ever appended. */
  private byte[] rewritten() {
    ByteArrayOutputStream records = new ByteArrayOutputStream();
    for (JournalRecord record : state.records()) {
      byte[] bytes = RecordCodec.encode(record);
      records.writeBytes(ByteBuffer.allocate(4).putInt(bytes.length).array());
      records.writeBytes(bytes);
    }
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.writeBytes(JournalImage.head(name));
    whole.writeBytes(JournalImage.batch(1, records.toByteArray(), records.size()));
    return whole.toByteArray();
  }

  private void rewrite(byte[] content) throws IOException {
    replace(path, content);
    file.close();
    file = FileChannel.open(path, StandardOpenOption.WRITE);
    file.position(content.length);
    batches = 1;
    rewriteAtBytes = Math.max(SMALLEST_REWRITE_BYTES, (long) REWRITE_FACTOR * content.length);
  }

  /** Puts new content in place of the file: after a crash there is the old or the new one. */
  private static void replace(Path path, byte[] content) throws IOException {
    Path fresh = path.resolveSibling(path.getFileName() + ".new");
    try (FileChannel out =
        FileChannel.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      write(out, content);
      out.force(true);
    }
    Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    Path folder = path.toAbsolutePath().getParent();
    if (folder != null) {
      try (FileChannel parent = FileChannel.open(folder, StandardOpenOption.READ)) {
        parent.force(true);
      }
    }
  }

  private static void write(FileChannel out, byte[] content) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(content);
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
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
    syncAll();
    synchronized (disk) {
      file.close();
      lock.close();
    }
    synchronized (this) {
      if (failure != null) {
        throw failure;
      }
    }
  }
}
