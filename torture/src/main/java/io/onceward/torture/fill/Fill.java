package io.onceward.torture.fill;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.cli.ScratchFolder;
import io.onceward.client.Admin.NodeReport;
import io.onceward.client.Onceward;
import io.onceward.client.OncewardException;
import io.onceward.replica.Request;
import io.onceward.services.CounterCommand;
import io.onceward.services.KeyValueCommand;
import io.onceward.services.ServiceDirectory;
import io.onceward.wire.NodeStatus;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The command {@code torture --fill}: fills one thing after the other in a cluster with a small
 * heap, looks whether all still works, and empties it again; in the end, everything at once, and
 * every node is killed and comes back with all of it.
 */
public final class Fill {
  public static final String USAGE =
      """
      torture --fill [--seconds N] [--heap M] [--only NAME]...

      Starts three nodes with a small heap and tries to fill everything that they keep, one after
      the other: the values, counters, leases and claims of services, the tables of keys, sessions and names,
      the queues and the log. No node may end; what does not fit must be refused as OVERLOADED; what is
      there can be read, deleted and acknowledged, and then there is room again. In the end values and replies
      fill services and tables at once, snapshots are taken, and each node is killed and comes back.

        --seconds N   how long each thing is filled at most (default 30)
        --heap M      the heap of a node in MiB, 256 to 4096 (default 384)
        --only NAME   only this thing, may be given more than once; an unknown name lists them all
      """;

  private static final int BAD_ARGUMENTS = 2;
  private static final int OPEN_KIBIBYTES = 8 << 10;
  private static final int QUEUE_KIBIBYTES = 400 << 10;
  private static final long PATIENCE_SECONDS = 60;
  private static final Set<String> EXPECTED =
      Set.of(Pump.DONE, Pump.OVERLOADED, "NotLeader", "Unavailable", "Unknown", "lost");

  private final PrintStream out;
  private final SmallCluster cluster;
  private final Onceward client;
  private final Pump pump;
  private final int seconds;
  private final int heapMebibytes;
  private final List<String> complaints = new ArrayList<>();

  private Fill(
      PrintStream out, SmallCluster cluster, Onceward client, Pump pump, int seconds, int heap) {
    this.out = out;
    this.cluster = cluster;
    this.client = client;
    this.pump = pump;
    this.seconds = seconds;
    this.heapMebibytes = heap;
  }

  /** Does what the words behind {@code --fill} say; returns the exit code. */
  public static int run(List<String> words, PrintStream out, PrintStream err) {
    int seconds = 30;
    int heap = 384;
    Set<String> only = new HashSet<>();
    try {
      for (int i = 0; i < words.size(); i += 2) {
        String value = i + 1 < words.size() ? words.get(i + 1) : "";
        switch (words.get(i)) {
          case "--seconds" -> seconds = number(value, 1, 3_600);
          case "--heap" -> heap = number(value, 256, 4_096);
          case "--only" -> only.add(name(value));
          default -> throw new IllegalArgumentException("unknown argument " + words.get(i));
        }
      }
    } catch (IllegalArgumentException wrong) {
      err.println("torture --fill: " + wrong.getMessage());
      return BAD_ARGUMENTS;
    }
    try (ScratchFolder folder = ScratchFolder.create("onceward-fill-");
        SmallCluster cluster = SmallCluster.start(folder.path(), heap);
        Pump pump = new Pump(cluster.addresses());
        Onceward client = Onceward.builder().addresses(cluster.addresses()).build()) {
      Fill fill = new Fill(out, cluster, client, pump, seconds, heap);
      fill.play(only);
      out.println(fill.complaints.isEmpty() ? "all is well" : "WRONG:");
      fill.complaints.forEach(complaint -> out.println("  " + complaint));
      return fill.complaints.isEmpty() ? 0 : 1;
    } catch (Exception problem) {
      err.println("torture --fill: " + problem);
      return 1;
    }
  }

  private static int number(String text, int least, int most) {
    int number = text.matches("[0-9]{1,6}") ? Integer.parseInt(text) : -1;
    if (number < least || number > most) {
      throw new IllegalArgumentException(
          "a number from " + least + " to " + most + " is needed, not \"" + text + "\"");
    }
    return number;
  }

  private static String name(String text) {
    List<String> names = new Fillers(0).all().stream().map(Filler::name).toList();
    if (!names.contains(text)) {
      throw new IllegalArgumentException("there are " + String.join(", ", names));
    }
    return text;
  }

  private void play(Set<String> only) throws Exception {
    Fillers fillers = new Fillers(await(client.admin().status()).clusterId().tag());
    List<Filler> all = fillers.all();
    for (Filler filler : all) {
      if (only.isEmpty() || only.contains(filler.name())) {
        Pump.Tally tally = fill(filler);
        empty(filler, tally.sent());
        if (!complaints.isEmpty()) {
          return;
        }
      }
    }
    if (only.isEmpty()) {
      everythingAtOnce(new Fillers(await(client.admin().status()).clusterId().tag()).all());
    }
  }

  // ---- filling and emptying ---------------------------------------------------------------------

  private Pump.Tally fill(Filler filler) throws Exception {
    if (filler.first() != null) {
      send(filler.name() + ", first", i -> i == 0 ? filler.first() : null, filler);
    }
    Pump.Tally tally = send(filler.name(), filler.fill()::apply, filler);
    tally.answers().keySet().stream()
        .filter(kind -> !EXPECTED.contains(kind))
        .forEach(kind -> complain(filler, "was answered " + kind));
    if (filler.limited() && !tally.full()) {
      if (tally.bytes() >= bytes()) {
        complain(filler, "met no limit: " + tally.answers());
      } else {
        out.println("    the time was over before it was full");
      }
    }
    check(filler.name() + ", full");
    if (filler.sharing()) {
      work(filler.name() + ", full");
    }
    return tally;
  }

  private void empty(Filler filler, long count) throws Exception {
    long[] next = {0};
    Pump.Tally undone =
        send(filler.name() + ", emptied", i -> nextUndo(filler, next, count), filler);
    if (undone.count(Pump.OVERLOADED) > 0) {
      complain(filler, "could not be emptied: " + undone.answers());
    }
    check(filler.name() + ", empty");
    work(filler.name() + ", empty");
  }

  private static @Nullable Request nextUndo(Filler filler, long[] next, long count) {
    while (next[0] < count) {
      Request undo = filler.undo().apply(next[0]++);
      if (undo != null) {
        return undo;
      }
    }
    return null;
  }

  private Pump.Tally send(String what, Pump.Requests requests, Filler filler) throws Exception {
    long begun = System.nanoTime();
    Pump.Bound bound =
        new Pump.Bound(
            bytes(),
            TimeUnit.SECONDS.toNanos(what.endsWith("emptied") ? 10L * seconds : seconds),
            filler.name().equals("queue") ? QUEUE_KIBIBYTES : OPEN_KIBIBYTES);
    Pump.Tally tally =
        pump.run(
            requests, bound, filler.kinds(), (decision, i) -> filler.decided().accept(decision, i));
    NodeStatus status = await(client.admin().status());
    out.printf(
        Locale.ROOT,
        "%-26s %,9d sent, %,6d MiB, %3d s: %s; tables %,d MiB, disks %,d MiB%n",
        what,
        tally.sent(),
        tally.bytes() >> 20,
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun),
        tally.answers(),
        status.tableBytes() >> 20,
        cluster.diskMebibytes());
    return tally;
  }

  /** How much is sent at most to fill one thing. */
  private long bytes() {
    return 4L * heapMebibytes << 20;
  }

  // ---- checks -----------------------------------------------------------------------------------

  private void complain(Filler filler, String what) {
    complaints.add(filler.name() + " " + what);
  }

  /** No node has ended, and reads work. */
  private void check(String when) {
    cluster.complaints().forEach(wrong -> complaints.add(when + ": " + wrong));
    reads(
        when,
        ServiceDirectory.KEY_VALUE,
        KeyValueCommand.encode(new KeyValueCommand.Page(Bytes.EMPTY, Bytes.EMPTY, 10)));
    reads(when, ServiceDirectory.COUNTER, CounterCommand.encode(new CounterCommand.Get("fill")));
    try {
      var unused = await(client.admin().sessions(0, 10));
    } catch (Exception problem) {
      complaints.add(when + ": sessions cannot be listed: " + problem);
    }
  }

  private void reads(String when, String service, Bytes question) {
    try {
      Reply reply = await(client.query(service, question));
      if (reply.kind() != Reply.Kind.OK) {
        complaints.add(when + ": a read of " + service + " was answered " + reply);
      }
    } catch (Exception problem) {
      complaints.add(when + ": a read of " + service + " failed: " + problem);
    }
  }

  /** There is room again: a request is decided. */
  private void work(String when) {
    try {
      var unused =
          await(
              client
                  .keyed()
                  .submit(
                      client.keyed().newKey(),
                      ServiceDirectory.COUNTER,
                      CounterCommand.encode(new CounterCommand.Add("work", 1)),
                      Duration.ofSeconds(PATIENCE_SECONDS / 2)));
    } catch (Exception problem) {
      complaints.add(when + ": a request is not decided: " + problem);
    }
  }

  /** Services and tables are full, and every node has to write and read all of it. */
  private void everythingAtOnce(List<Filler> all) throws Exception {
    for (Filler filler : all) {
      if (filler.name().equals("values") || filler.name().equals("replies")) {
        var unused = fill(filler);
      }
    }
    for (String address : cluster.addresses()) {
      out.println("a snapshot: " + await(client.admin().snapshot(address)));
    }
    for (int node = 0; node < cluster.addresses().size(); node++) {
      cluster.restart(node);
      out.println(cluster.ids().get(node) + " was killed and is back");
      check(cluster.ids().get(node) + " is back");
    }
    agree();
    // Room for records first: as long as there is none, no request with an id is taken.
    for (String name : List.of("replies", "values")) {
      for (Filler filler : all) {
        if (filler.name().equals(name)) {
          empty(filler, 100_000);
        }
      }
    }
  }

  /** All nodes come to hold the same. */
  private void agree() throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    Set<String> seen = new HashSet<>();
    while (System.nanoTime() < end) {
      seen.clear();
      try {
        for (NodeReport report : await(client.admin().statusOfAll(true))) {
          seen.add(
              report
                  .status()
                  .map(status -> status.position() + " " + status.digest())
                  .orElse(report.problem()));
        }
        if (seen.size() == 1) {
          out.println("all nodes agree at " + seen);
          return;
        }
      } catch (OncewardException again) {
        seen.add(again.toString());
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
    }
    complaints.add("the nodes do not agree: " + seen);
  }

  private static <T> T await(CompletableFuture<T> future) {
    try {
      return future.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    } catch (CompletionException problem) {
      throw problem.getCause() instanceof OncewardException told ? told : problem;
    }
  }
}
