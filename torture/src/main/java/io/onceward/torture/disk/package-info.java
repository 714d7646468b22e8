/**
 * Where a node keeps its data: a plain folder, or, with root, a file system of its own that can
 * lose its power and fill up.
 */
@NullMarked
package io.onceward.torture.disk;

import org.jspecify.annotations.NullMarked;
