/**
 * The simulated world: virtual time, a network, nodes with disks and clocks that share a replicated
 * log, clients of every kind, an administrator, and the director who makes it all go wrong.
 * Replica, door and the client's logic are the ones that ship; what stands around them in a process
 * is simulated. One thread, one seed, no wall clock. Start reading at {@code World}, then {@code
 * Node} and {@code Doorstep} for the servers, {@code LibraryProcess} for the clients.
 */
@NullMarked
package io.onceward.testkit.world;

import org.jspecify.annotations.NullMarked;
