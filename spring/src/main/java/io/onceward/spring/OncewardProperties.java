package io.onceward.spring;

import io.onceward.guard.Meaning;
import java.time.Duration;
import java.util.List;
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
 */
@ConfigurationProperties("onceward")
public record OncewardProperties(
    @DefaultValue("auto") Store store,
    @DefaultValue("60s") Duration lease,
    @DefaultValue("24h") Duration retention,
    @DefaultValue("10s") Duration waitAtMost,
    @DefaultValue("0s") Duration retryUnknownFor,
    @Nullable DataSize maxReplySize,
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
   */
  public record Http(@DefaultValue List<Route> routes, @DefaultValue("0") int filterOrder) {}

  /**
   * Requests that the filter guards.
   *
   * @param pattern such as {@code POST /orders/{id}/payments} or {@code /admin/**}
   * @param keyRequired refuse requests without a key
   * @param serverErrors what a status of 500 and more says about the effect
   */
  public record Route(
      String pattern,
      @DefaultValue("false") boolean keyRequired,
      @DefaultValue("unknown") Meaning serverErrors) {
    public Route {
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
