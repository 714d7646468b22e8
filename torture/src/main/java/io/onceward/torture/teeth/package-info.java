/**
 * Mistakes that can be planted in the very servers and clients that ship, by an agent that changes
 * their classes as they are loaded. A torture that does not find one of them proves little about
 * such mistakes. Start reading at {@link io.onceward.torture.teeth.PlantedBug}.
 */
@NullMarked
package io.onceward.torture.teeth;

import org.jspecify.annotations.NullMarked;
