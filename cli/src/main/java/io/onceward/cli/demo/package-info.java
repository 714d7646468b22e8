/**
 * {@code onceward demo}: a cluster of real processes that is killed, paused and cut off while
 * client processes work against it, and a proof of the books at the end. Start reading at {@link
 * io.onceward.cli.demo.Demo}, the command; {@code Run} holds the order of events, {@code
 * ClientProgram} is what the client processes do, and {@code Proof} decides how it ends.
 *
 * <p>What was told is written down by those who were told it, in a file that survives their death.
 * The proof reads these files and asks the cluster; it trusts nothing that was counted on the way.
 */
@org.jspecify.annotations.NullMarked
package io.onceward.cli.demo;
