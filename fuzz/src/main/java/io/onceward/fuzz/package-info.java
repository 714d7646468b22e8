/**
 * Searches for bytes that upset the decoders that read what comes from outside. {@code Fuzz} is the
 * command, {@code Target} lists what is searched. The targets themselves stand in the packages of
 * the decoders, most of which nobody else may call.
 */
@NullMarked
package io.onceward.fuzz;

import org.jspecify.annotations.NullMarked;
