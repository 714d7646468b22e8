/**
 * The words of the domain: what a request is called, what was decided about it, and what a caller
 * may conclude. Everything a user names is in this package; what remembers and applies requests is
 * below it.
 */
@NullMarked
package io.onceward;

import org.jspecify.annotations.NullMarked;
