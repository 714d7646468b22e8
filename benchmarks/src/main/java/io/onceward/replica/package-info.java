/**
 * Onceward's tables behind the interfaces by which the benchmarks drive every memory alike. They
 * are in this package because the tables are not public.
 */
@NullMarked
package io.onceward.replica;

import org.jspecify.annotations.NullMarked;
