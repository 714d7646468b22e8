/**
 * Whether a history is linearizable, found by search: for services that do not tell their order.
 * Start reading at {@code Linearizability}; {@code SequentialModel} is what a service has to be
 * described by, and {@code CasRegister} the simplest of those that are here.
 */
@NullMarked
package io.onceward.testkit.history.search;

import org.jspecify.annotations.NullMarked;
