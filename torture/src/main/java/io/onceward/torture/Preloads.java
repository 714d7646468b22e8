package io.onceward.torture;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Libraries that stand between a node and its kernel: libfaketime, which tells it another time, and
 * libfiu, which makes its reads, writes and syncs fail. What the machine does not have is left out.
 *
 * @param faketime null if it is not installed
 * @param fiu empty if it is not installed
 */
record Preloads(@Nullable Path faketime, List<Path> fiu) {

  /** What is installed here. */
  static Preloads find() {
    List<Path> fiu = new ArrayList<>();
    for (String name : List.of("fiu_run_preload.so", "fiu_posix_preload.so")) {
      Path path = first("fiu", name);
      if (path != null && Tool.exists("fiu-ctrl")) {
        fiu.add(path);
      }
    }
    return new Preloads(first("faketime", "libfaketime.so.1"), fiu.size() == 2 ? fiu : List.of());
  }

  private static @Nullable Path first(String folder, String name) {
    for (Path root : List.of(Path.of("/usr/lib"), Path.of("/usr/local/lib"))) {
      Path direct = root.resolve(folder).resolve(name);
      if (Files.exists(direct)) {
        return direct;
      }
      try (DirectoryStream<Path> kinds = Files.newDirectoryStream(root, "*-linux-gnu")) {
        for (Path kind : kinds) {
          Path path = kind.resolve(folder).resolve(name);
          if (Files.exists(path)) {
            return path;
          }
        }
      } catch (IOException none) {
        // Then it is not there.
      }
    }
    return null;
  }

  boolean canShiftClocks() {
    return faketime != null;
  }

  boolean canFailDisks() {
    return !fiu.isEmpty();
  }

  /**
   * The variables with which a process must start, as {@code env} takes them.
   *
   * @param control where it is told which calls fail; null if none shall
   */
  List<String> variables(Path clock, @Nullable Path control) {
    List<String> libraries = new ArrayList<>();
    List<String> words = new ArrayList<>();
    if (faketime != null) {
      libraries.add(faketime.toString());
      // Read again every second; the clock that measures intervals stays true, as real ones do.
      words.add("FAKETIME_TIMESTAMP_FILE=" + clock);
      words.add("FAKETIME_CACHE_DURATION=1");
      words.add("FAKETIME_DONT_FAKE_MONOTONIC=1");
      words.add("DONT_FAKE_MONOTONIC=1");
      // Its remedy for an old C library makes every timed wait take ten times as long.
      words.add("FAKETIME_FORCE_MONOTONIC_FIX=0");
    }
    if (control != null && !fiu.isEmpty()) {
      fiu.forEach(each -> libraries.add(each.toString()));
      words.add("FIU_CTRL_FIFO=" + control);
    }
    if (!libraries.isEmpty()) {
      words.add("LD_PRELOAD=" + String.join(":", libraries));
    }
    return words;
  }
}
