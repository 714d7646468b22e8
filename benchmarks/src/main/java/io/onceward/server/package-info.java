/**
 * A node that tells when a request passed each of its stages. It is in this package because the
 * pieces of a node are not public.
 */
@NullMarked
package io.onceward.server;

import org.jspecify.annotations.NullMarked;
