package io.onceward.cli.it;

import io.onceward.cli.JvmFlags;
import io.onceward.cli.ServerLaunch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * A kernel that serves one process oddly: its syncs fail once they are told to, or its clock is
 * ahead. No test can do that to a real one, so it is a library of a few lines of C that stands
 * between the server and the kernel.
 */
final class OddKernel {
  private static final String SOURCE =
      """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <errno.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <string.h>
      #include <time.h>
      #include <unistd.h>

      /* Whether the switch is thrown and the file is in the folder concerned. */
      static int broken(int fd) {
        const char *lever = getenv("ODD_SWITCH");
        const char *folder = getenv("ODD_FOLDER");
        char link[64], path[4096];
        ssize_t length;
        if (!lever || !folder || access(lever, F_OK) != 0) return 0;
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        length = readlink(link, path, sizeof path - 1);
        if (length < 0) return 0;
        path[length] = 0;
        return strncmp(path, folder, strlen(folder)) == 0;
      }

      static int sync_or_fail(const char *name, int fd) {
        int (*real)(int);
        if (broken(fd)) {
          errno = EIO;
          return -1;
        }
        *(void **)&real = dlsym(RTLD_NEXT, name);
        return real(fd);
      }

      int fsync(int fd) { return sync_or_fail("fsync", fd); }
      int fdatasync(int fd) { return sync_or_fail("fdatasync", fd); }

      int clock_gettime(clockid_t clock, struct timespec *time) {
        static int (*real)(clockid_t, struct timespec *);
        static long ahead = -1;
        int result;
        if (ahead < 0) {
          const char *seconds = getenv("ODD_CLOCK");
          *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
          ahead = seconds ? atol(seconds) : 0;
        }
        result = real(clock, time);
        if (clock == CLOCK_REALTIME && result == 0) time->tv_sec += ahead;
        return result;
      }
      """;

  private final Path library;
  private final Path lever;

  private OddKernel(Path library, Path lever) {
    this.library = library;
    this.lever = lever;
  }

  /** Builds one, or skips the test and says why. */
  static OddKernel build(Path folder) throws Exception {
    Path source = folder.resolve("odd.c");
    Path library = folder.resolve("odd.so");
    Files.writeString(source, SOURCE);
    String problem;
    try {
      Process process =
          new ProcessBuilder(
                  "cc", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl")
              .redirectErrorStream(true)
              .start();
      problem = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0) {
        problem = "";
      }
    } catch (IOException noCompiler) {
      problem = noCompiler.getMessage();
    }
    if (!problem.isEmpty()) {
      String why = "SKIPPED, no C compiler makes a library that plays tricks: " + problem;
      System.err.println(why);
      Assumptions.abort(why);
    }
    return new OddKernel(library, folder.resolve("odd.switch"));
  }

  /** Starts a node of the cluster on this kernel; its clock is ahead by so much. */
  Child start(Cluster cluster, String id, Duration clockAhead) throws IOException {
    ServerLaunch launch = cluster.launch(id);
    List<String> flags = new ArrayList<>(JvmFlags.server());
    flags.addAll(launch.jvmFlags());
    List<String> words = new ArrayList<>(launch.words());
    words.add("--stop-with-input");
    Map<String, String> environment = new HashMap<>();
    environment.put("LD_PRELOAD", library.toString());
    environment.put("ODD_SWITCH", lever.toString());
    environment.put("ODD_FOLDER", Files.createDirectories(launch.folder()).toRealPath().toString());
    environment.put("ODD_CLOCK", String.valueOf(clockAhead.toSeconds()));
    Child child = Child.start(flags, environment, "io.onceward.cli.Main", words);
    cluster.adopt(id, child);
    return child;
  }

  /** From now on every sync fails. */
  void failSyncs() throws IOException {
    Files.createFile(lever);
  }

  void recover() throws IOException {
    Files.deleteIfExists(lever);
  }
}
