/**
 * Planted bugs: for each promise, someone who breaks it. A bug wraps or replaces a part of the
 * simulated world, never the product; a simulator that does not notice has lost a tooth. Start
 * reading at {@code PlantedBug}.
 */
@NullMarked
package io.onceward.testkit.teeth;

import org.jspecify.annotations.NullMarked;
