package io.onceward.torture.net;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which process made a connection on loopback, where all parties have the same address:
 * the kernel lists every connection with an inode, and every process the inodes that it holds.
 */
final class SocketOwners {
  private final Map<String, Long> processes = new ConcurrentHashMap<>();

  void runs(String party, long pid) {
    processes.put(party, pid);
  }

  /** The party whose process holds the other end; null if it is none of them. */
  @Nullable String of(Socket socket) {
    try {
      String inode = inode(socket.getPort(), socket.getLocalPort());
      for (Map.Entry<String, Long> each : processes.entrySet()) {
        if (inode != null && holds(each.getValue(), "socket:[" + inode + "]")) {
          return each.getKey();
        }
      }
    } catch (IOException gone) {
      // Whoever it was.
    }
    return null;
  }

  private static @Nullable String inode(int localPort, int remotePort) throws IOException {
    String local = String.format(Locale.ROOT, ":%04X", localPort);
    String remote = String.format(Locale.ROOT, ":%04X", remotePort);
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      Path path = Path.of(table);
      for (String line : Files.exists(path) ? Files.readAllLines(path) : List.<String>of()) {
        String[] columns = line.strip().split(" +", -1);
        if (columns.length > 9 && columns[1].endsWith(local) && columns[2].endsWith(remote)) {
          return columns[9];
        }
      }
    }
    return null;
  }

  private static boolean holds(long pid, String link) {
    Path folder = Path.of("/proc", Long.toString(pid), "fd");
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        try {
          if (Files.readSymbolicLink(file).toString().equals(link)) {
            return true;
          }
        } catch (IOException closedMeanwhile) {
          // Then it is not this one.
        }
      }
    } catch (IOException ended) {
      return false;
    }
    return false;
  }
}
