package io.onceward.torture.hostile;

import io.onceward.cli.ServerLaunch;
import io.onceward.cli.ServerProcess;
import io.onceward.server.FreePorts;
import io.onceward.wire.Member;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The server under attack: a real process with the flags that every server has, and what can be
 * seen of it from outside. Its collector keeps a diary, from which its memory is read.
 */
final class Victim implements AutoCloseable {
  private static final Duration TIME_TO_START = Duration.ofSeconds(30);

  /** A line of the diary: {@code ... 200M->30M(256M) 2.1ms}. */
  private static final Pattern COLLECTION = Pattern.compile("(\\d+)M->(\\d+)M\\((\\d+)M\\)");

  private final ServerProcess process;
  private final Path diary;
  private final Path data;
  private final ConcurrentLinkedQueue<String> said = new ConcurrentLinkedQueue<>();
  private long read;

  private Victim(Path folder, List<String> jvmFlags) throws IOException {
    Member self = FreePorts.members(1, i -> "victim").get(0);
    diary = Files.createDirectories(folder).resolve("gc.log");
    data = folder.resolve("data");
    process =
        ServerLaunch.of(data, self, List.of(self))
            .jvmFlags("-Xlog:gc:file=" + diary + "::filecount=0")
            .jvmFlags(jvmFlags.toArray(String[]::new))
            .heardBy(said::add)
            .start();
  }

  static Victim start(Path folder) throws IOException {
    return start(folder, List.of());
  }

  /** With further flags for Java. */
  static Victim start(Path folder, List<String> jvmFlags) throws IOException {
    Victim victim = new Victim(folder, jvmFlags);
    try {
      victim.process.awaitReady(TIME_TO_START);
      return victim;
    } catch (IOException problem) {
      victim.close();
      throw problem;
    }
  }

  Member member() {
    return process.member();
  }

  boolean isAlive() {
    return process.isRunning();
  }

  /** Everything that it printed, its ready line included. */
  List<String> said() {
    return List.copyOf(said);
  }

  /** Files and sockets that it holds; 0 where the system does not tell. */
  int descriptors() {
    try (Stream<Path> all = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
      return (int) all.count();
    } catch (IOException notTold) {
      return 0;
    }
  }

  /** How many bytes it keeps in its data folder; files that it drops meanwhile do not count. */
  long storedBytes() throws IOException {
    var bytes = new AtomicLong();
    Files.walkFileTree(
        data,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            bytes.addAndGet(attributes.size());
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException gone) {
            return FileVisitResult.CONTINUE;
          }
        });
    return bytes.get();
  }

  /** Its memory as the system sees it, in MiB; 0 where the system does not tell. */
  long residentMebibytes() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
        if (line.startsWith("VmRSS:")) {
          return Long.parseLong(line.replaceAll("\\D+", "")) / 1024;
        }
      }
    } catch (IOException notTold) {
      // Said in the contract.
    }
    return 0;
  }

  /** The most that was left by a collection since this was asked last, in MiB. */
  synchronized long heapMebibytes() throws IOException {
    byte[] all = Files.readAllBytes(diary);
    String news = new String(all, (int) read, (int) (all.length - read), StandardCharsets.UTF_8);
    read = all.length;
    long most = 0;
    Matcher matcher = COLLECTION.matcher(news);
    while (matcher.find()) {
      most = Math.max(most, Long.parseLong(matcher.group(2)));
    }
    return most;
  }

  /** Has it collect everything, and tells what is left, in MiB. */
  long liveMebibytes() throws IOException {
    heapMebibytes();
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(process.pid()),
                "GC.run")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (!jcmd.waitFor(20, TimeUnit.SECONDS)) {
        jcmd.destroyForcibly();
        throw new IOException("the victim does not answer jcmd");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    byte[] all = Files.readAllBytes(diary);
    String news = new String(all, (int) read, (int) (all.length - read), StandardCharsets.UTF_8);
    read = all.length;
    long live = 0;
    Matcher matcher = COLLECTION.matcher(news);
    while (matcher.find()) {
      live = Long.parseLong(matcher.group(2));
    }
    return live;
  }

  @Override
  public void close() {
    process.close();
  }
}
