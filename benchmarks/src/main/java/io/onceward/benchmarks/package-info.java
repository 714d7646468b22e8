/**
 * Programs that measure time and memory, each beside the obvious alternatives in the same run. They
 * print one line per figure.
 */
@NullMarked
package io.onceward.benchmarks;

import org.jspecify.annotations.NullMarked;
