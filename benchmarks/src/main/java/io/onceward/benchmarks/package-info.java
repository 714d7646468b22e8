/**
 * Programs that measure time and memory, each beside the obvious alternatives in the same run. They
 * print one line per figure.
 *
 * <p>Start with {@link io.onceward.benchmarks.Figures}, which says what each figure is and how it
 * comes about, then {@link io.onceward.benchmarks.Experiments}, which measures.
 */
@NullMarked
package io.onceward.benchmarks;

import org.jspecify.annotations.NullMarked;
