/**
 * The deterministic memory of past requests: what stands in the log, the tables that judge it, and
 * the snapshots of both. Start with {@link io.onceward.replica.Replica}, whose {@code live} is the
 * life of a request; then {@code SessionTable} and {@code KeyTable} for the rules, and {@link
 * io.onceward.replica.Request} for everything that can be asked.
 */
@NullMarked
package io.onceward.replica;

import org.jspecify.annotations.NullMarked;
