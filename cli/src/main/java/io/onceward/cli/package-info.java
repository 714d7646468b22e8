/** The executable {@code onceward}: one class per command. */
@org.jspecify.annotations.NullMarked
package io.onceward.cli;
