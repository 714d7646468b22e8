package io.onceward.guard;

import java.time.Instant;

/**
 * A request that was started and not heard of again, as the queue shows it to a probe or an
 * operator.
 *
 * @param fence of the run whose fate is unknown; names it in a resolution
 * @param started when the request was first started, by the store's clock; a re-run does not move
 *     it, since the outside may count the retention of its idempotency keys from then on (G4)
 * @param startedMillisAgo how long that was ago when the store was asked, by the store's clock
 * @param why it is unknown, for people
 */
public record UnknownRequest(
    GuardedId id,
    String operation,
    String memo,
    long fence,
    Instant started,
    long startedMillisAgo,
    String why) {}
