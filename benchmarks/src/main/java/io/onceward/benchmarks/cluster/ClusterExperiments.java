package io.onceward.benchmarks.cluster;

import io.onceward.benchmarks.Samples;
import io.onceward.benchmarks.cluster.ClusterExperiment.OnItsOwn;
import io.onceward.benchmarks.cluster.ClusterExperiment.OnSite;
import io.onceward.cli.ServerProcess;
import java.io.IOException;
import java.util.List;

/** What {@code bench cluster} measures, in this order. */
final class ClusterExperiments {
  static final String SATURATED = "saturated";
  static final String AT_64 = "at-64";
  static final String ALONE = "alone";
  static final String READS = "reads";
  static final String PRICE = "price";
  static final String RETRIES = "retries";
  static final String SESSIONS = "sessions";
  static final String FAILOVER = "failover";
  static final String ONCE = "once";
  static final String START = "start";
  static final String STAGES = "stages";

  /** Sessions and requests in flight of the first line, on which most others build. */
  static final int FEW_SESSIONS = 8;

  static final int MANY_IN_FLIGHT = 4_096;
  private static final int SOME_IN_FLIGHT = 64;
  private static final int HUNDRED = 100;
  private static final int HALF = 50;
  private static final double KIB_PER_MIB = 1_024;
  private static final double MICROS_PER_SECOND = 1e6;
  private static final double P50 = 0.5;
  private static final double P99 = 0.99;

  /** After a leader was killed, what is left of the cluster rests so long before the next one. */
  private static final long REST_MILLIS = 2_000;

  static final List<ClusterExperiment> ALL =
      List.of(
          onSite(SATURATED, ClusterExperiments::saturated),
          onSite(AT_64, ClusterExperiments::at64),
          onSite(ALONE, ClusterExperiments::alone),
          onSite(READS, ClusterExperiments::reads),
          onSite(PRICE, ClusterExperiments::price),
          onSite(RETRIES, ClusterExperiments::retries),
          onSite(SESSIONS, ClusterExperiments::sessions),
          onSite(FAILOVER, ClusterExperiments::failover),
          onSite(ONCE, ClusterExperiments::once),
          new ClusterExperiment(START, (OnItsOwn) Starting::run),
          new ClusterExperiment(STAGES, (OnItsOwn) Stages::run));

  private ClusterExperiments() {}

  private static ClusterExperiment onSite(String name, OnSite body) {
    return new ClusterExperiment(name, body);
  }

  private static void saturated(Site site, Samples samples) throws IOException {
    Load load = site.plan().load(Load.Way.SESSION, FEW_SESSIONS, MANY_IN_FLIGHT);
    for (int run = 0; run < site.plan().runs(); run++) {
      Shares shares = new Shares(site);
      Tally tally = site.clients().run(load, shares);
      samples.add("saturated", tally.perSecond());
      samples.add("saturated-p50", tally.millis(P50));
      samples.add("saturated-p99", tally.millis(P99));
      shares.tell(tally, samples);
    }
    for (ServerProcess server : site.cluster().servers()) {
      Processes.mostResidentKib(server.pid())
          .ifPresent(kib -> samples.add("memory", kib / KIB_PER_MIB));
      Processes.residentKib(server.pid())
          .ifPresent(kib -> samples.add("memory-after", kib / KIB_PER_MIB));
    }
  }

  private static void at64(Site site, Samples samples) throws IOException {
    Load load = site.plan().load(Load.Way.SESSION, FEW_SESSIONS, SOME_IN_FLIGHT);
    for (int run = 0; run < site.plan().runs(); run++) {
      Tally tally = site.clients().run(load);
      samples.add("at-64", tally.perSecond());
      samples.add("at-64-p50", tally.millis(P50));
      samples.add("at-64-p99", tally.millis(P99));
    }
  }

  private static void alone(Site site, Samples samples) throws IOException {
    for (int run = 0; run < site.plan().runs(); run++) {
      Tally asynchronous = site.clients().run(site.plan().load(Load.Way.SESSION, 1, 1));
      samples.add("alone-p50", asynchronous.millis(P50));
      samples.add("alone-p99", asynchronous.millis(P99));
      Tally blocking = site.clients().run(site.plan().load(Load.Way.BLOCKING, 1, 1));
      samples.add("alone-blocking-p50", blocking.millis(P50));
      samples.add("alone-blocking-p99", blocking.millis(P99));
    }
  }

  private static void reads(Site site, Samples samples) throws IOException {
    Load many = site.plan().load(Load.Way.QUERY, FEW_SESSIONS, MANY_IN_FLIGHT);
    Load one = site.plan().load(Load.Way.QUERY, 1, 1);
    Tally unused = site.clients().run(many);
    for (int run = 0; run < site.plan().runs(); run++) {
      Shares shares = new Shares(site);
      Tally tally = site.clients().run(many, shares);
      samples.add("reads", tally.perSecond());
      samples.add("reads-p50", tally.millis(P50));
      samples.add("reads-p99", tally.millis(P99));
      shares.sumMicros(tally).ifPresent(micros -> samples.add("reads-micros", micros));
      Tally alone = site.clients().run(one);
      samples.add("read-alone-p50", alone.millis(P50));
      samples.add("read-alone-p99", alone.millis(P99));
    }
  }

  /** The price of ids is the part of the throughput without them that is missing with them. */
  private static void price(Site site, Samples samples) throws IOException {
    Side with =
        new Side("with-ids", site.plan().load(Load.Way.SESSION, FEW_SESSIONS, MANY_IN_FLIGHT));
    Side without =
        new Side("without-ids", site.plan().load(Load.Way.UNKEYED, FEW_SESSIONS, MANY_IN_FLIGHT));
    for (double part : compared(site, with, without, samples)) {
      samples.add("price", HUNDRED * (1 - part));
    }
  }

  private static void retries(Site site, Samples samples) throws IOException {
    Load once = site.plan().load(Load.Way.WIRE, FEW_SESSIONS, MANY_IN_FLIGHT);
    Side twice = new Side("half-sent-twice", once.withTwice(HALF));
    for (double part : compared(site, twice, new Side("all-sent-once", once), samples)) {
      samples.add("retries", HUNDRED * part);
    }
  }

  private static void sessions(Site site, Samples samples) throws IOException {
    Load few = site.plan().load(Load.Way.SESSION, HUNDRED, MANY_IN_FLIGHT);
    int open = site.plan().openSessions();
    Load many = site.plan().load(Load.Way.SESSION, open / HUNDRED, MANY_IN_FLIGHT).withIdle(open);
    for (double part :
        compared(site, new Side("many-sessions", many), new Side("few-sessions", few), samples)) {
      samples.add("sessions", HUNDRED * part);
    }
  }

  /** One of two loads that are compared. */
  private record Side(String name, Load load) {}

  /**
   * The throughput of one load divided by that of another, for each run; who is first changes every
   * time. Both are rehearsed first, uncounted: what a load needs compiled, others may never have
   * called.
   */
  private static double[] compared(Site site, Side one, Side other, Samples samples)
      throws IOException {
    Tally unusedOne = site.clients().run(one.load());
    Tally unusedOther = site.clients().run(other.load());
    double[] parts = new double[site.plan().runs()];
    for (int run = 0; run < parts.length; run++) {
      boolean oneFirst = run % 2 == 0;
      double first = side(site, oneFirst ? one : other, samples);
      double second = side(site, oneFirst ? other : one, samples);
      parts[run] = oneFirst ? first / second : second / first;
    }
    return parts;
  }

  private static double side(Site site, Side side, Samples samples) throws IOException {
    Shares shares = new Shares(site);
    Tally tally = site.clients().run(side.load(), shares);
    samples.add(side.name(), tally.perSecond());
    shares.sumMicros(tally).ifPresent(micros -> samples.add("micros-" + side.name(), micros));
    return tally.perSecond();
  }

  private static void failover(Site site, Samples samples) throws IOException {
    Plan plan = site.plan();
    site.clients().watch(plan.load(Load.Way.SESSION, FEW_SESSIONS, SOME_IN_FLIGHT));
    for (int i = 0; i < plan.kills(); i++) {
      Cluster.sleep(REST_MILLIS);
      site.clients().arm();
      Cluster.End end = site.cluster().killLeader();
      long found = site.clients().firstDecidedAfter(end.goneMicros() / 1_000);
      samples.add("failover", (found - end.sentMicros()) / MICROS_PER_SECOND);
      site.cluster().restore();
    }
    Tally unused = site.clients().rest();
  }

  /**
   * Whether everything that was decided so far was executed once, retries and fail-overs included.
   */
  private static void once(Site site, Samples samples) throws IOException {
    samples.add("once", (double) (site.cluster().executed() - site.clients().executed()));
  }
}
