/**
 * Real clusters under real faults. A run starts nodes and clients as processes, lets faults happen
 * to them from a seed, and checks the history of every request afterwards. Start reading at {@link
 * io.onceward.torture.Torture}; {@link io.onceward.torture.Run} is a run from beginning to end.
 */
@NullMarked
package io.onceward.torture;

import org.jspecify.annotations.NullMarked;
