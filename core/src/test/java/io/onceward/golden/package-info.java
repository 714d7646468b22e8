/**
 * Golden scripts: conversations with a replica, written down as commands and the decisions that
 * must follow, in files that can be read without knowing Java. Start with {@link
 * io.onceward.golden.GoldenScriptsTest}, which says how to run and write them.
 */
@NullMarked
package io.onceward.golden;

import org.jspecify.annotations.NullMarked;
