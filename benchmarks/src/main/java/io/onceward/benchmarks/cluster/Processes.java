package io.onceward.benchmarks.cluster;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** What the kernel tells about a process. It tells it on Linux only; elsewhere nothing is known. */
final class Processes {
  private static final Path PROC = Path.of("/proc");

  /** Linux counts the time of processors for users in hundredths of a second. */
  private static final double TICKS_PER_SECOND = 100;

  /** Where the name of a thread ends in its line; names may contain spaces. */
  private static final String END_OF_NAME = ") ";

  private static final int USER = 11;
  private static final int SYSTEM = 12;

  private Processes() {}

  /** Seconds of processor time. */
  record Work(double user, double system) {
    static final Work NONE = new Work(0, 0);

    double sum() {
      return user + system;
    }

    Work minus(Work earlier) {
      return new Work(user - earlier.user, system - earlier.system);
    }
  }

  static boolean areKnown() {
    return Files.isReadable(PROC.resolve("self/stat"));
  }

  static Work work(long pid) {
    return work(PROC.resolve(pid + "/stat"));
  }

  private static Work work(Path stat) {
    String line = read(stat);
    int end = line.lastIndexOf(END_OF_NAME);
    if (end < 0) {
      return Work.NONE;
    }
    String[] fields = line.substring(end + END_OF_NAME.length()).split(" ", -1);
    return new Work(
        Long.parseLong(fields[USER]) / TICKS_PER_SECOND,
        Long.parseLong(fields[SYSTEM]) / TICKS_PER_SECOND);
  }

  /** The work of each thread that still lives, by its name and number. */
  static Map<String, Work> threads(long pid) {
    Map<String, Work> threads = new TreeMap<>();
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(PROC.resolve(pid + "/task"))) {
      for (Path task : tasks) {
        String name = read(task.resolve("comm")).strip() + " " + task.getFileName();
        threads.put(name, work(task.resolve("stat")));
      }
    } catch (IOException gone) {
      return threads;
    }
    return threads;
  }

  /** Memory that is resident now, in KiB. */
  static OptionalLong residentKib(long pid) {
    return status(pid, "VmRSS:");
  }

  /** The most memory that was ever resident, in KiB. */
  static OptionalLong mostResidentKib(long pid) {
    return status(pid, "VmHWM:");
  }

  /** How often the threads of a process gave up their processor to wait for something. */
  static long waits(long pid) {
    long sum = 0;
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(PROC.resolve(pid + "/task"))) {
      for (Path task : tasks) {
        sum += field(read(task.resolve("status")), "voluntary_ctxt_switches:").orElse(0);
      }
    } catch (IOException gone) {
      return sum;
    }
    return sum;
  }

  private static OptionalLong status(long pid, String name) {
    return field(read(PROC.resolve(pid + "/status")), name);
  }

  private static OptionalLong field(String text, String name) {
    return text.lines()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
        .findFirst();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException gone) {
      return "";
    }
  }
}
