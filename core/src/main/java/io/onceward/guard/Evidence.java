package io.onceward.guard;

import io.onceward.Reply;
import java.time.Instant;

/**
 * A completion that came too late: the request had been given to a later run, or resolved otherwise
 * (G3). Refused, and kept, because it may mean that the effect happened twice.
 */
public record Evidence(GuardedId id, long fence, Reply reply, Instant arrived) {}
