/**
 * The page about a run: one HTML file that needs nothing else, not even a network. Start reading at
 * {@link io.onceward.torture.report.Page}; what it is told is a {@link
 * io.onceward.torture.report.TorturedRun}.
 */
@NullMarked
package io.onceward.torture.report;

import org.jspecify.annotations.NullMarked;
