package io.onceward.torture;

import io.onceward.cli.ServerLaunch;
import io.onceward.cli.ServerProcess;
import io.onceward.torture.disk.Disk;
import io.onceward.torture.net.Network;
import io.onceward.wire.Member;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One node, its present process, its disk and its clock. Called by one thread, except for what it
 * says about itself.
 */
final class TortureNode implements Closeable {
  private static final Duration TIME_TO_START = Duration.ofMinutes(2);
  private static final Duration TIME_TO_WORK = Duration.ofSeconds(10);
  private static final List<String> FLAGS =
      List.of("-Xms64m", "-Xmx512m", "-Xmn64m", "-XX:TieredStopAtLevel=1");

  /** Code with which a node ends that cannot go on: disk full, sync failed. */
  static final int STOPPED_ITSELF = 8;

  private final String id;
  private final Network network;
  private final Disk disk;
  private final Preloads preloads;
  private final Path clock;
  private final Path control;
  private final Path log;
  private final List<String> options;
  private final List<String> planting;
  private ServerLaunch launch;
  private @Nullable ServerProcess process;
  private boolean paused;
  private boolean mayEnd;

  /**
   * A node that is not started yet.
   *
   * @param folder for what belongs to the node and not onto its disk
   * @param planting further flags of Java, which plant a mistake
   * @param members of the cluster that is formed; empty if it joins a running one
   */
  TortureNode(
      String id,
      Network network,
      Disk disk,
      Preloads preloads,
      Path folder,
      List<Member> members,
      List<String> options,
      List<String> planting)
      throws IOException {
    this.id = id;
    this.network = network;
    this.disk = disk;
    this.preloads = preloads;
    this.clock = folder.resolve(id + ".clock");
    this.control = folder.resolve(id + ".fiu");
    this.options = List.copyOf(options);
    this.planting = List.copyOf(planting);
    Files.writeString(clock, "+0");
    this.log = folder.resolve(id + ".log");
    this.launch = ServerLaunch.of(disk.data(), member(), members);
  }

  private ServerProcess launched(boolean diskCanFail) throws IOException {
    List<String> surroundings = new ArrayList<>(network.whereabouts(id));
    surroundings.add("env");
    surroundings.addAll(preloads.variables(clock, diskCanFail ? control : null));
    return launch
        .within(surroundings)
        .jvmFlags(FLAGS.toArray(String[]::new))
        .jvmFlags(planting.toArray(String[]::new))
        .options("--bind", network.bindHost(id))
        .options(options.toArray(String[]::new))
        .heardBy(this::write)
        .start();
  }

  /** What its processes say, for whoever wants to know why something happened. */
  private void write(String line) {
    try {
      String timed = Instant.now().truncatedTo(ChronoUnit.MILLIS) + " " + line + "\n";
      Files.writeString(log, timed, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException full) {
      // Nothing depends on it.
    }
  }

  String id() {
    return id;
  }

  Member member() {
    return network.member(id);
  }

  Disk disk() {
    return disk;
  }

  /** Where it can be asked past its proxy. */
  String address() {
    return network.bindHost(id) + ":" + member().clientPort();
  }

  synchronized boolean isRunning() {
    return process != null && process.isRunning();
  }

  synchronized boolean isUp() {
    return isRunning() && !paused;
  }

  /** Why it ended although nobody made it; empty if it did not. */
  synchronized String unexpectedEnd() {
    if (process == null || process.isRunning() || mayEnd) {
      return "";
    }
    List<String> said = process.complaints();
    return id
        + " ended by itself with code "
        + process.ended().getNow(-1)
        + ": "
        + String.join(" / ", said.subList(Math.max(0, said.size() - 5), said.size()));
  }

  /** From now on it may end by itself, since its disk is made to fail. */
  synchronized void mayEnd() {
    mayEnd = true;
  }

  /** Starts it, unless it runs. */
  void start() throws IOException {
    start(false);
  }

  private void start(boolean diskCanFail) throws IOException {
    synchronized (this) {
      if (isRunning()) {
        return;
      }
      process = launched(diskCanFail);
      paused = false;
      mayEnd = false;
    }
    network.runs(id, running().pid());
  }

  private synchronized ServerProcess running() {
    if (process == null) {
      throw new IllegalStateException(id + " was never started");
    }
    return process;
  }

  void awaitReady() throws IOException {
    running().awaitReady(TIME_TO_START);
  }

  /** SIGKILL. */
  void kill() {
    mayEnd();
    running().kill();
  }

  /** SIGTERM. */
  void stop() {
    mayEnd();
    running().stop();
  }

  synchronized void pause() {
    paused = true;
    running().pause();
  }

  synchronized void resume() {
    if (paused) {
      running().resume();
      paused = false;
    }
  }

  /** Has it say in its log what each of its threads does. */
  void tellThreads() {
    running().tellThreads();
  }

  /** Its disk loses power, and it dies of that; the disk comes back with what was synced. */
  void losePower() throws IOException {
    mayEnd();
    disk.powerOff();
    running().kill();
    disk.powerOn();
  }

  /** Its clock says so many seconds more than it is; within a second. */
  void shiftClock(long seconds) throws IOException {
    Path fresh = clock.resolveSibling(id + ".clock.new");
    Files.writeString(fresh, (seconds < 0 ? "-" : "+") + Math.abs(seconds));
    Files.move(fresh, clock, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
  }

  boolean canShiftClock() {
    return preloads.canShiftClocks();
  }

  boolean canFailItsDisk() {
    return preloads.canFailDisks();
  }

  /**
   * Its next life has a disk that can fail, and then does: every call of this kind fails.
   *
   * <p>Only that one life, for libfiu can hang a process: it locks within the allocator, and in the
   * other order than the loader of libraries does. A node that hangs now is as good as one whose
   * disk fails; one that hung at any other time would be taken for a defect of the product.
   */
  void failDisk(String call) throws IOException {
    kill();
    start(true);
    mayEnd();
    try {
      running().awaitReady(TIME_TO_WORK);
    } catch (IOException notYet) {
      // Then it fails while it starts.
    }
    String pid = Long.toString(running().pid());
    String order = "enable name=" + call;
    Tool.tryTo("timeout", "5", "fiu-ctrl", "-f", control.toString(), "-c", order, pid);
  }

  /** From its next start on it is another build. */
  void rebuild(String classPath) {
    launch = launch.classPath(classPath);
  }

  /** Forgets everything; from now on it starts as one that joins. */
  void wipe() throws IOException {
    disk.wipe();
    launch = ServerLaunch.joining(disk.data(), member()).classPath(launch.classPath());
  }

  @Override
  public void close() throws IOException {
    ServerProcess last;
    synchronized (this) {
      mayEnd = true;
      last = process;
    }
    if (last != null) {
      last.kill();
    }
    disk.close();
  }
}
