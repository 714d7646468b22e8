package io.onceward.torture.hostile;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * One attack on a running node: honest clients before it and during it, and what is left after it.
 * What is judged here is what must hold whatever the machine; speed is judged by whoever asked.
 */
final class Round {
  /** What one attack came to; what is wrong is in {@code complaints}. */
  record Result(
      Attack.Aimed attack,
      Latencies before,
      Latencies during,
      long heapMebibytes,
      long liveMebibytes,
      long residentMebibytes,
      int descriptorsBefore,
      int descriptorsMost,
      Siege.Account account,
      List<String> complaints) {

    double ratio() {
      return during.p99() / before.p99();
    }

    /** The same with other times. */
    Result with(Latencies before, Latencies during) {
      return new Result(
          attack,
          before,
          during,
          heapMebibytes,
          liveMebibytes,
          residentMebibytes,
          descriptorsBefore,
          descriptorsMost,
          account,
          complaints);
    }

    /** The most of this round and a later one of the same attack, with the times of the latter. */
    Result and(Result later) {
      List<String> both = new ArrayList<>(complaints);
      both.addAll(later.complaints);
      return new Result(
          attack,
          later.before,
          later.during,
          Math.max(heapMebibytes, later.heapMebibytes),
          Math.max(liveMebibytes, later.liveMebibytes),
          Math.max(residentMebibytes, later.residentMebibytes),
          descriptorsBefore,
          Math.max(descriptorsMost, later.descriptorsMost),
          later.account,
          both);
    }
  }

  /** What strikes until it is told to stop. */
  interface Striking extends AutoCloseable {
    Siege.Account stop() throws Exception;

    @Override
    void close();
  }

  /** How an attack is begun. */
  interface Beginning {
    Striking begin() throws Exception;
  }

  private static final int PROMISES = 200;
  private static final int DESCRIPTORS_SPARE = 8;
  private static final int THREAD_SECONDS = 20;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Victim victim;
  private final HonestClients honest;
  private final boolean measured;

  /**
   * @param measured whether it is measured what the attack costs, for which honest clients are
   *     watched before it as well, and the node collects its garbage after it
   */
  Round(Victim victim, HonestClients honest, boolean measured) {
    this.victim = victim;
    this.honest = honest;
    this.measured = measured;
  }

  Result play(Attack.Aimed attack, double seconds, Beginning beginning) throws Exception {
    int descriptors = victim.descriptors();
    honest.collectPromises(measured ? PROMISES : PROMISES / 10);
    Latencies before = honest.ask(measured ? seconds : seconds / 10);
    victim.heapMebibytes();
    long stored = victim.storedBytes();
    Watch watch = new Watch();
    Latencies during;
    Siege.Account account;
    try (Striking striking = beginning.begin()) {
      CompletableFuture<Void> watching = CompletableFuture.runAsync(watch);
      during = honest.ask(seconds);
      watch.over = true;
      watching.join();
      account = striking.stop();
    }
    List<String> complaints = new ArrayList<>();
    if (!victim.isAlive()) {
      complaints.add("the node ended: " + victim.said());
      return new Result(
          attack,
          before,
          during,
          0,
          0,
          watch.resident,
          descriptors,
          watch.descriptors,
          account,
          complaints);
    }
    String excess = attack.attack().excess(account.bytes(), victim.storedBytes() - stored);
    if (!excess.isEmpty()) {
      complaints.add(excess);
    }
    long heap = victim.heapMebibytes();
    long live = measured ? victim.liveMebibytes() : 0;
    complaints.addAll(honest.complaints());
    int left = descriptorsLeft(descriptors);
    if (left > descriptors + DESCRIPTORS_SPARE) {
      complaints.add(left + " descriptors are open after it, " + descriptors + " were before");
    }
    if (victim.said().stream().anyMatch(line -> line.contains("OutOfMemory"))) {
      complaints.add("the node ran out of memory: " + victim.said());
    }
    return new Result(
        attack,
        before,
        during,
        Math.max(heap, live),
        live,
        watch.resident,
        descriptors,
        watch.descriptors,
        account,
        complaints);
  }

  /** Waits until the node has let go of the attacker's connections. */
  private int descriptorsLeft(int before) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (victim.descriptors() > before + DESCRIPTORS_SPARE && System.nanoTime() < end) {
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
    return victim.descriptors();
  }

  /** Looks at the node from time to time, and remembers the most. */
  private final class Watch implements Runnable {
    volatile boolean over;
    volatile long resident;
    volatile int descriptors;

    @Override
    public void run() {
      while (!over) {
        resident = Math.max(resident, victim.residentMebibytes());
        descriptors = Math.max(descriptors, victim.descriptors());
        LockSupport.parkNanos(4 * LOOK_AGAIN_NANOS);
      }
    }
  }

  /** The attack on a thread of this process, which is there sooner than another process. */
  static Beginning onAThread(Attack.Aimed attack, Victim victim, int scale) {
    return () -> {
      AtomicBoolean over = new AtomicBoolean();
      Siege siege = attack.siege(victim.member().clientPort(), victim.member().peerPort(), scale);
      CompletableFuture<Siege.Account> account =
          CompletableFuture.supplyAsync(() -> Assailant.attack(attack, siege, () -> !over.get()));
      return new Striking() {
        @Override
        public Siege.Account stop() throws Exception {
          over.set(true);
          return account.get(THREAD_SECONDS, TimeUnit.SECONDS);
        }

        @Override
        public void close() {
          over.set(true);
        }
      };
    };
  }

  /** Begins an attack in a process of its own. */
  static Beginning inAProcess(Attack.Aimed attack, Victim victim, int scale) {
    return () -> {
      Attacker attacker = Attacker.start(attack, victim, scale);
      return new Striking() {
        @Override
        public Siege.Account stop() throws IOException {
          return attacker.stop();
        }

        @Override
        public void close() {
          attacker.close();
        }
      };
    };
  }
}
