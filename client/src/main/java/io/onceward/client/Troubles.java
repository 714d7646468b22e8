package io.onceward.client;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is wrong with each node that could not be used last time, for people. Of nodes that were not
 * configured only some are kept: their addresses may change with each of their starts.
 */
final class Troubles {
  private static final int MOST_OTHERS = 64;

  private final List<String> configured;
  private final Map<String, String> reasons = new LinkedHashMap<>();

  Troubles(List<String> configured) {
    this.configured = configured;
  }

  synchronized void put(String address, String reason) {
    // The latest stands last.
    reasons.remove(address);
    reasons.put(address, reason);
    if (reasons.size() > configured.size() + MOST_OTHERS) {
      reasons.keySet().stream()
          .filter(each -> !configured.contains(each))
          .findFirst()
          .ifPresent(reasons::remove);
    }
  }

  synchronized void clear() {
    reasons.clear();
  }

  synchronized String of(String address) {
    return address + ": " + reasons.getOrDefault(address, "no answer");
  }

  /** Those of all configured nodes. */
  String ofConfigured() {
    StringBuilder text = new StringBuilder();
    for (String address : configured) {
      text.append(text.length() == 0 ? "" : "; ").append(of(address));
    }
    return text.toString();
  }

  synchronized int size() {
    return reasons.size();
  }
}
