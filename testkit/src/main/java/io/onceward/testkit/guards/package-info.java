/**
 * Guards under concurrent traffic, judged by an auditor that knows what truly happened outside.
 * {@link io.onceward.testkit.guards.GuardTraffic} makes the traffic; start there. {@link
 * io.onceward.testkit.guards.StoreBug} plants mistakes in a store, to see them caught.
 */
@NullMarked
package io.onceward.testkit.guards;

import org.jspecify.annotations.NullMarked;
