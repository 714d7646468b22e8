package io.onceward.torture;

import io.onceward.torture.Fault.Kind;
import io.onceward.torture.client.ClientPlan;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** All client processes of a run. */
final class Clients implements Closeable {
  private static final long START_SECONDS = 150;

  private final List<ClientProcess> processes = new ArrayList<>();

  /** Two processes that live as long as the run, and two that are killed now and then. */
  Clients(
      Path folder,
      long seed,
      int perSecond,
      int copiesPercent,
      List<String> addresses,
      List<String> planting) {
    List<ClientPlan.Role> roles =
        List.of(
            ClientPlan.Role.STEADY,
            ClientPlan.Role.STEADY,
            ClientPlan.Role.MORTAL,
            ClientPlan.Role.MORTAL);
    for (int i = 0; i < roles.size(); i++) {
      processes.add(
          new ClientProcess(
              new ClientPlan(
                  "client" + (i + 1),
                  roles.get(i),
                  1,
                  folder,
                  seed * roles.size() + i,
                  Math.max(1, perSecond / roles.size()),
                  copiesPercent,
                  addresses),
              planting));
    }
  }

  void start() throws IOException, InterruptedException {
    for (ClientProcess process : processes) {
      process.start();
    }
    for (ClientProcess process : processes) {
      await(process.name() + " to begin", process.ready(), START_SECONDS);
    }
  }

  long decided() {
    return processes.stream().mapToLong(ClientProcess::decided).sum();
  }

  List<Path> histories() {
    return processes.stream().flatMap(process -> process.histories().stream()).toList();
  }

  List<String> complaints() {
    return processes.stream().flatMap(process -> process.complaints().stream()).toList();
  }

  private List<ClientProcess> mortals() {
    return processes.stream().filter(ClientProcess::isMortal).toList();
  }

  /** SIGKILL to one that keeps journals. */
  Fault killing(int pick) {
    ClientProcess victim = mortals().get(pick % mortals().size());
    return new Fault(
        Kind.KILL_CLIENT, "SIGKILL to " + victim.name(), 1, victim::kill, Fault.Step.nothing());
  }

  Fault pausing(int pick) {
    ClientProcess victim = processes.get(pick % processes.size());
    return new Fault(
        Kind.PAUSE_CLIENT, "SIGSTOP to " + victim.name(), 1, victim::pause, victim::resume);
  }

  /** Lets the paused go on and starts the killed again; does not wait for them. */
  void heal() throws IOException {
    for (ClientProcess process : processes) {
      process.resume();
      process.start();
    }
  }

  /** Waits until all have finished what they began. */
  void finish(long seconds) throws IOException, InterruptedException {
    for (ClientProcess process : processes) {
      await(process.name() + " to begin", process.ready(), START_SECONDS);
    }
    List<CompletableFuture<Void>> finishing =
        processes.stream().map(ClientProcess::finish).toList();
    for (int i = 0; i < finishing.size(); i++) {
      await(processes.get(i).name() + " to finish", finishing.get(i), seconds);
    }
  }

  private static void await(String what, CompletableFuture<Void> event, long seconds)
      throws IOException, InterruptedException {
    try {
      event.get(seconds, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      throw new IOException("waiting for " + what + ": " + failed.getCause(), failed);
    } catch (TimeoutException late) {
      throw new IOException("waited " + seconds + " s for " + what, late);
    }
  }

  @Override
  public void close() throws IOException {
    for (ClientProcess process : processes) {
      process.close();
    }
  }
}
