/**
 * The process that is killed. {@link io.onceward.crash.child.ChildProgram} works on several
 * requests at once, each in a {@link io.onceward.crash.child.Lane}; each stops where it was told to
 * and says so on standard output. Nothing in the product knows of this: connections, stores and
 * sockets are wrapped from outside.
 */
@NullMarked
package io.onceward.crash.child;

import org.jspecify.annotations.NullMarked;
