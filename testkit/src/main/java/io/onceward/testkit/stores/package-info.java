/**
 * What every store of the guard has to pass. Extend {@link
 * io.onceward.testkit.stores.ClaimStoreContract} in the tests of a store, and {@link
 * io.onceward.testkit.stores.BoundedStoreContract} too if it has a limit of its own; JUnit Jupiter
 * is yours to bring.
 */
@NullMarked
package io.onceward.testkit.stores;

import org.jspecify.annotations.NullMarked;
