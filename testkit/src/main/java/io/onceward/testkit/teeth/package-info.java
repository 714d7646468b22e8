/**
 * Planted bugs: for each promise, someone who breaks it. A bug stands around a part of the product
 * or replaces a part of the simulated world, and never reaches into the product; a simulator that
 * does not notice has lost a tooth. Start reading at {@code PlantedBug}.
 */
@NullMarked
package io.onceward.testkit.teeth;

import org.jspecify.annotations.NullMarked;
