package io.onceward.guard;

/**
 * On which terms a request is claimed. Both are counted by the store's clock.
 *
 * @param leaseMillis how long a run may take before it counts as unknown
 * @param retentionMillis how long the decided record is kept, from the decision on
 */
public record ClaimTerms(long leaseMillis, long retentionMillis) {
  public ClaimTerms {
    if (leaseMillis < 1 || retentionMillis < 1) {
      throw new IllegalArgumentException(
          "lease and retention are at least 1 ms, got " + leaseMillis + " and " + retentionMillis);
    }
  }
}
