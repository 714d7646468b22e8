package io.onceward.testkit.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** What a harness says about its run. Each method changes these options and gives them back. */
public final class HistoryOptions {
  /** The state of one node after the run. */
  record NodeState(String node, long position, String digest) {}

  private final Map<String, ServiceKind> services = new LinkedHashMap<>();
  private final Map<String, Long> finalSerials = new LinkedHashMap<>();
  private final List<NodeState> nodes = new ArrayList<>();
  private Predicate<String> journaled = id -> false;
  private BiConsumer<String, Double> progress = (step, share) -> {};
  private Duration searchTime = Duration.ZERO;
  private int searchedOpsPerKey = 200;

  /** Under this name the run had a service of this kind. */
  public HistoryOptions service(String name, ServiceKind kind) {
    services.put(name, kind);
    return this;
  }

  /**
   * The serial of a service after the last request, as a linearizable query tells it. Without it,
   * effects behind the last answer go unnoticed.
   */
  public HistoryOptions finalSerial(String service, long serial) {
    finalSerials.put(service, serial);
    return this;
  }

  /** The digest of a node's whole state after the run, and the log position of that state. */
  public HistoryOptions finalState(String node, long position, String digest) {
    nodes.add(new NodeState(node, position, digest));
    return this;
  }

  /**
   * Requests under these ids are in a journal from before they are sent until their end is in the
   * history, whatever dies in between. So one without an end was never sent, and explains no
   * effect.
   */
  public HistoryOptions journaled(Predicate<String> ids) {
    journaled = ids;
    return this;
  }

  /** Hears the name of the step at work and how much of all is done, from 0 to 1. */
  public HistoryOptions progress(BiConsumer<String, Double> listener) {
    progress = listener;
    return this;
  }

  /**
   * Has counters, registers and lists also judged by search, as if they had no serials: key by key,
   * the first so many ops of each, until the time is over. By default there is no search.
   */
  public HistoryOptions search(Duration time, int opsPerKey) {
    searchTime = time;
    searchedOpsPerKey = opsPerKey;
    return this;
  }

  Map<String, ServiceKind> services() {
    return services;
  }

  long finalSerial(String service) {
    return finalSerials.getOrDefault(service, 0L);
  }

  boolean statesFinalSerial(String service) {
    return finalSerials.containsKey(service);
  }

  List<NodeState> nodes() {
    return nodes;
  }

  boolean isJournaled(String id) {
    return journaled.test(id);
  }

  BiConsumer<String, Double> progress() {
    return progress;
  }

  Duration searchTime() {
    return searchTime;
  }

  int searchedOpsPerKey() {
    return searchedOpsPerKey;
  }
}
