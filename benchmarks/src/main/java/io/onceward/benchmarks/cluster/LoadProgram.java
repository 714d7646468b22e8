package io.onceward.benchmarks.cluster;

import io.onceward.client.Onceward;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a client process of a measurement does: it takes one order per line and reports on lines,
 * until its input ends. One client is connected for as long as the process lives, so that whatever
 * has to get warm stays warm.
 */
public final class LoadProgram implements AutoCloseable {
  /** The command by which a child is told what it is. */
  public static final String COMMAND = "load";

  static final String LOAD = "load ";
  static final String WATCH = "watch ";
  static final String ARM = "arm";
  static final String SINCE = "since ";
  static final String REST = "rest";

  static final String READY = "ready";
  static final String BEGIN = "begin";
  static final String TALLY = "tally ";
  static final String FOUND = "found ";
  static final String FAILED = "failed ";

  private static final long MOST_GAP_MILLIS = 30_000;

  private final List<String> addresses;
  private final PrintStream out;
  private final Onceward onceward;
  private final Gap gap = new Gap();
  private @Nullable Running watched;
  private Stopwatch watchedBy = new Stopwatch();

  private LoadProgram(List<String> addresses, PrintStream out) {
    this.addresses = addresses;
    this.out = out;
    this.onceward = Onceward.connect(addresses.toArray(String[]::new));
  }

  /**
   * Obeys until the input ends.
   *
   * @param addresses where the nodes listen for clients, separated by commas
   */
  public static void run(String addresses, InputStream in, PrintStream out) throws IOException {
    try (LoadProgram program = new LoadProgram(List.of(addresses.split(",", -1)), out);
        BufferedReader orders =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      out.println(READY);
      for (String order = orders.readLine(); order != null; order = orders.readLine()) {
        program.obey(order);
      }
    }
  }

  private void obey(String order) {
    try {
      if (order.startsWith(LOAD)) {
        load(Load.parse(Words.parse(order)));
      } else if (order.startsWith(WATCH)) {
        watchedBy = new Stopwatch();
        watched =
            LibraryLoad.start(onceward, Load.parse(Words.parse(order)), watchedBy, gap::decided);
        watchedBy.begin();
        out.println(BEGIN);
      } else if (order.equals(ARM)) {
        gap.arm();
        out.println(READY);
      } else if (order.startsWith(SINCE)) {
        long millis = Long.parseLong(order.substring(SINCE.length()));
        out.println(FOUND + gap.firstAfter(millis, MOST_GAP_MILLIS));
      } else if (order.equals(REST) && watched != null) {
        watchedBy.end();
        tell(watched, watchedBy);
      } else {
        out.println(FAILED + "there is no order '" + order + "'");
      }
    } catch (InterruptedException | IOException | RuntimeException problem) {
      out.println(FAILED + problem.toString().replace('\n', ' '));
    }
  }

  private void load(Load load) throws InterruptedException, IOException {
    Stopwatch watch = new Stopwatch();
    Running running =
        switch (load.way()) {
          case SESSION, UNKEYED, QUERY -> LibraryLoad.start(onceward, load, watch, decided -> {});
          case BLOCKING -> BlockingLoad.start(onceward, watch);
          case WIRE -> WireLoad.start(Leader.of(addresses), load, watch);
        };
    Thread.sleep(load.leadMillis());
    watch.begin();
    out.println(BEGIN);
    Thread.sleep(load.millis());
    watch.end();
    tell(running, watch);
  }

  private void tell(Running running, Stopwatch watch) throws InterruptedException {
    running.settle();
    out.println(TALLY + running.tally().during(watch).words());
  }

  @Override
  public void close() {
    onceward.close();
  }
}
