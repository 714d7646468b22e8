package io.onceward.spring;

import io.onceward.guard.Meaning;
import io.onceward.http.BodyComparison;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

/**
 * The settings of Onceward.
 *
 * @param store where requests are remembered
 * @param lease how long a run outside may take before nobody knows what became of it; the effect's
 *     own time-out has to be shorter
 * @param retention how long a decided request is remembered
 * @param waitAtMost how long a copy waits for another that is running
 * @param retryUnknownFor run an unknown request again for so long after its first start; only for
 *     effects that hand their idempotency key to an outside that keeps it longer than this
 * @param maxReplySize the largest reply that is kept; default 64 KB for effects outside and in
 *     memory, 1 MB in transactions
 * @param datedOnly which requests need keys with a date, since others run again once they are
 *     forgotten: operations of methods, patterns of routes, whole scopes, or {@code *} for all
 */
@ConfigurationProperties("onceward")
public record OncewardProperties(
    @DefaultValue("auto") Store store,
    @DefaultValue("60s") Duration lease,
    @DefaultValue("24h") Duration retention,
    @DefaultValue("10s") Duration waitAtMost,
    @DefaultValue("0s") Duration retryUnknownFor,
    @Nullable DataSize maxReplySize,
    @DefaultValue List<String> datedOnly,
    @DefaultValue Memory memory,
    @DefaultValue Jdbc jdbc,
    @DefaultValue Http http) {
  private static final long MAX_REPLY_BYTES = 1 << 20;

  public OncewardProperties {
    atLeast("onceward.lease", lease, Duration.ofMillis(1));
    atLeast("onceward.retention", retention, Duration.ofSeconds(1));
    atLeast("onceward.wait-at-most", waitAtMost, Duration.ofMillis(1));
    atLeast("onceward.retry-unknown-for", retryUnknownFor, Duration.ZERO);
    if (maxReplySize != null
        && (maxReplySize.toBytes() < 1 || maxReplySize.toBytes() > MAX_REPLY_BYTES)) {
      throw new InvalidConfigurationPropertyValueException(
          "onceward.max-reply-size", maxReplySize, "it is from 1 byte to 1 MB");
    }
    if (datedOnly.stream().anyMatch(String::isBlank)) {
      throw new InvalidConfigurationPropertyValueException(
          "onceward.dated-only", datedOnly, "each entry names something");
    }
  }

  /** Where requests are remembered. */
  public enum Store {
    /** In the database if there is a data source, in the memory of this process otherwise. */
    AUTO,
    /** In the database; without one, the application does not start. */
    JDBC,
    /** In the memory of this process, which forgets when it ends. */
    MEMORY
  }

  /**
   * The memory of this process.
   *
   * @param maxEntries how many requests it remembers at most; over it new ones are refused
   * @param maxSize how many bytes it takes at most
   */
  public record Memory(
      @DefaultValue("100000") int maxEntries, @DefaultValue("64MB") DataSize maxSize) {
    public Memory {
      if (maxEntries < 1) {
        throw new InvalidConfigurationPropertyValueException(
            "onceward.memory.max-entries", maxEntries, "it is at least 1");
      }
      if (maxSize.toBytes() < 1) {
        throw new InvalidConfigurationPropertyValueException(
            "onceward.memory.max-size", maxSize, "it is at least 1 byte");
      }
    }
  }

  /**
   * The tables in the database.
   *
   * @param createSchema make the tables at the start if they are missing
   * @param dataSource the name of the data source's bean, if there are several
   * @param transactionManager the name of the transaction manager's bean, if there are several
   * @param claimDataSource the name of a data source's bean that claims of effects outside have for
   *     themselves, on the same database; needed to make them inside open transactions
   * @param attempts how many transactions are tried for one request that meets deadlocks,
   *     serialization failures or broken connections
   * @param sweepEvery how often records past their retention are cleaned up; 0 for never
   */
  public record Jdbc(
      @DefaultValue("false") boolean createSchema,
      @Nullable String dataSource,
      @Nullable String transactionManager,
      @Nullable String claimDataSource,
      @DefaultValue("10") int attempts,
      @DefaultValue("10m") Duration sweepEvery) {
    public Jdbc {
      if (attempts < 1) {
        throw new InvalidConfigurationPropertyValueException(
            "onceward.jdbc.attempts", attempts, "it is at least 1");
      }
      atLeast("onceward.jdbc.sweep-every", sweepEvery, Duration.ZERO);
    }
  }

  /**
   * The filter for paths whose whole responses are remembered.
   *
   * @param routes which requests it guards; without any there is no filter
   * @param filterOrder its place among the filters; behind those that authenticate
   * @param storeHeaders headers of responses that are remembered beside the common ones
   */
  public record Http(
      @DefaultValue List<Route> routes,
      @DefaultValue("0") int filterOrder,
      @DefaultValue List<String> storeHeaders) {}

  /**
   * Requests that the filter guards.
   *
   * @param pattern such as {@code POST /orders/{id}/payments} or {@code /admin/**}
   * @param keyRequired refuse requests without a key
   * @param keyHeader the header that has the key; Idempotency-Key if it is nowhere else
   * @param keyJson the path of the key in a JSON body, such as {@code data.object.id}
   * @param keyBodyHash take the whole request for its key: two that say the same are one
   * @param serverErrors what a status of 500 and more says about the effect
   * @param statuses what single statuses say about the effect
   * @param maxRequestSize the largest body that is read to be compared; a larger one gets 413
   * @param maxParameters how many parameters a form may have; one with more gets 413
   * @param handedOutAsWritten hand the response out while it is written, as for event streams
   * @param bodies when two bodies under one key are the same
   * @param mismatchStatus the status of a request whose key was used for something else
   */
  public record Route(
      String pattern,
      @DefaultValue("false") boolean keyRequired,
      @Nullable String keyHeader,
      @Nullable String keyJson,
      @DefaultValue("false") boolean keyBodyHash,
      @DefaultValue("unknown") Meaning serverErrors,
      @DefaultValue Map<Integer, Meaning> statuses,
      @DefaultValue("1MB") DataSize maxRequestSize,
      @DefaultValue("1000") int maxParameters,
      @DefaultValue("false") boolean handedOutAsWritten,
      @DefaultValue("bytes") BodyComparison bodies,
      @DefaultValue("422") int mismatchStatus) {
    public Route {
      if ((keyHeader != null && keyJson != null)
          || (keyBodyHash && (keyHeader != null || keyJson != null))) {
        throw new InvalidConfigurationPropertyValueException(
            "onceward.http.routes[].key-header", keyHeader, "a key is in one place only");
      }
      if (maxRequestSize.toBytes() < 1 || maxRequestSize.toBytes() > Integer.MAX_VALUE) {
        throw new InvalidConfigurationPropertyValueException(
            "onceward.http.routes[].max-request-size", maxRequestSize, "it is from 1 byte to 2 GB");
      }
      if (maxParameters < 1) {
        throw new InvalidConfigurationPropertyValueException(
            "onceward.http.routes[].max-parameters", maxParameters, "it is at least 1");
      }
      if (pattern == null || pattern.isBlank()) {
        throw new InvalidConfigurationPropertyValueException(
            "onceward.http.routes[].pattern",
            pattern,
            "each route needs a pattern, such as POST /orders/{id}");
      }
    }
  }

  private static void atLeast(String name, Duration value, Duration least) {
    if (value.compareTo(least) < 0) {
      throw new InvalidConfigurationPropertyValueException(
          name, value, "it is at least " + least.toMillis() + " ms");
    }
  }
}
