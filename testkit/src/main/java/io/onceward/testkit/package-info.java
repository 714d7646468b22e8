/**
 * A seeded, single-threaded simulator that drives the code that ships, and an auditor that shares
 * none of it. {@code Simulate} is the command; {@code Simulation} runs one seed and is where to
 * start reading. From there: {@code world} is what happens, {@code audit} who watches, {@code
 * model} what must be decided, {@code teeth} the bugs that all of it must notice.
 */
@NullMarked
package io.onceward.testkit;

import org.jspecify.annotations.NullMarked;
