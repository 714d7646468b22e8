/**
 * The whole house on real processes: servers are killed, paused, wiped and starved of disk while
 * clients go on, and afterwards the books are checked. Start with {@link
 * io.onceward.cli.it.Cluster} and {@link io.onceward.cli.it.Load}.
 */
@org.jspecify.annotations.NullMarked
package io.onceward.cli.it;
