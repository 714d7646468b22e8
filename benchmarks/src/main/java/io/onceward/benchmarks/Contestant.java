package io.onceward.benchmarks;

import io.onceward.replica.KeyTableMemory;
import io.onceward.replica.SessionTableMemory;
import java.util.List;

/** Onceward's tables and what people use instead. */
enum Contestant {
  ONCEWARD("Onceward"),
  HASH_MAP("HashMap"),
  CAFFEINE("Caffeine"),
  GUAVA("Guava");

  static final List<Contestant> ALTERNATIVES = List.of(HASH_MAP, CAFFEINE, GUAVA);

  private final String label;

  Contestant(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  KeyMemory keys(long retentionMillis) {
    return switch (this) {
      case ONCEWARD -> new KeyTableMemory(retentionMillis);
      case HASH_MAP -> new HashMapKeys(retentionMillis);
      case CAFFEINE -> new CaffeineKeys(retentionMillis);
      case GUAVA -> new GuavaKeys(retentionMillis);
    };
  }

  SessionMemory sessions() {
    return switch (this) {
      case ONCEWARD -> new SessionTableMemory();
      case HASH_MAP -> new HashMapSessions();
      case CAFFEINE -> new CaffeineSessions();
      case GUAVA -> new GuavaSessions();
    };
  }
}
