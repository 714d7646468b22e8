/**
 * Kills a process at every step of a request and checks the books. {@link
 * io.onceward.crash.CrashTest} is the program; a {@link io.onceward.crash.Campaign} is its run
 * through one {@link io.onceward.crash.Home}. What is killed is in the package {@code child}.
 */
@NullMarked
package io.onceward.crash;

import org.jspecify.annotations.NullMarked;
