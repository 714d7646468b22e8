/**
 * The simulated world: virtual time, a network, nodes with disks and clocks that share a replicated
 * log, clients of every kind, an administrator, and the director who makes it all go wrong. One
 * thread, one seed, no wall clock. Start reading at {@code World}, then {@code Node}.
 */
@NullMarked
package io.onceward.testkit.world;

import org.jspecify.annotations.NullMarked;
