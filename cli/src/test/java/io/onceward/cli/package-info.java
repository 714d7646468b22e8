/** Tests of the command line; {@link io.onceward.cli.Shell} is how they run commands. */
@org.jspecify.annotations.NullMarked
package io.onceward.cli;
