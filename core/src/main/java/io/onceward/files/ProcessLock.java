package io.onceward.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A lock file that has one owner in one process at a time. Its content is the id of that process.
 *
 * <p>POSIX drops a process's lock on a file as soon as the process closes <em>any</em> descriptor
 * of that file, also one through which it was never locked. So a second owner in the same process
 * must be refused before the file is opened: closing it again would let other processes in. A
 * register of all locks of this process does that. It knows a lock by its real path and by its file
 * key, so that symbolic links, hard links and relative paths are the same lock.
 */
public final class ProcessLock implements AutoCloseable {
  /** Names of all locks that this process has. */
  private static final Set<Object> TAKEN = new HashSet<>();

  /**
   * Channels that found the lock taken by code of this process that has another register, such as a
   * second copy of this class. Closing one would drop that lock, so they wait here for the next
   * attempt.
   */
  private static final Map<Object, FileChannel> UNCLOSEABLE = new HashMap<>();

  private static final Object REGISTER = new Object();

  private final FileChannel channel;
  private final List<Object> names;
  private boolean closed;

  private ProcessLock(FileChannel channel, List<Object> names) {
    this.channel = channel;
    this.names = names;
  }

  /**
   * Takes the lock; makes the file if there is none.
   *
   * @param file used as a lock only; nothing else may open it
   * @throws FileInUseException if it is taken
   * @throws IOException if the file cannot be made, locked or written
   */
  public static ProcessLock take(Path file) throws IOException {
    synchronized (REGISTER) {
      make(file);
      List<Object> names = names(file);
      for (Object name : names) {
        if (TAKEN.contains(name)) {
          throw new FileInUseException(file, "this process");
        }
      }
      Object key = names.get(names.size() - 1);
      FileChannel channel = UNCLOSEABLE.remove(key);
      if (channel == null) {
        channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
      }
      if (!lock(channel, file, key)) {
        String holder = readHolder(channel);
        channel.close();
        throw new FileInUseException(file, holder);
      }
      try {
        channel.truncate(0);
        channel.write(
            StandardCharsets.UTF_8.encode(Long.toString(ProcessHandle.current().pid())), 0);
        TAKEN.addAll(names);
        return new ProcessLock(channel, names);
      } catch (IOException | RuntimeException | Error e) {
        // Nobody gets the lock, so nobody could let go of it.
        names.forEach(TAKEN::remove);
        channel.close();
        throw e;
      }
    }
  }

  /** A new file has no lock that closing could drop; an existing one is not opened here. */
  private static void make(Path file) throws IOException {
    try {
      Files.createFile(file);
    } catch (FileAlreadyExistsException e) {
      // As expected from the second time on.
    }
  }

  /** The last one names the file itself where the system can tell, however it is reached. */
  private static List<Object> names(Path file) throws IOException {
    Path real = file.toRealPath();
    @Nullable Object key = Files.readAttributes(real, BasicFileAttributes.class).fileKey();
    return key == null ? List.of(real) : List.of(real, key);
  }

  private static boolean lock(FileChannel channel, Path file, Object key) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      UNCLOSEABLE.put(key, channel);
      throw new FileInUseException(file, "this process");
    } catch (IOException | RuntimeException | Error e) {
      channel.close();
      throw e;
    }
  }

  private static String readHolder(FileChannel channel) {
    try {
      ByteBuffer content = ByteBuffer.allocate(20);
      channel.read(content, 0);
      String holder = StandardCharsets.UTF_8.decode(content.flip()).toString().strip();
      return holder.isEmpty() ? "another process" : "process " + holder;
    } catch (IOException e) {
      return "another process";
    }
  }

  /** Lets others take it. Idempotent. */
  @Override
  public void close() throws IOException {
    synchronized (REGISTER) {
      if (!closed) {
        closed = true;
        try {
          channel.close();
        } finally {
          names.forEach(TAKEN::remove);
        }
      }
    }
  }
}
