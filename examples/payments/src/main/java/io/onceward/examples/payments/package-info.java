/**
 * An application as many teams have it: transfers in its own database, payments at somebody else's.
 * {@link io.onceward.examples.payments.Transfers} and {@link
 * io.onceward.examples.payments.Payments} are what to read; the rest makes it run with nothing
 * installed.
 */
@NullMarked
package io.onceward.examples.payments;

import org.jspecify.annotations.NullMarked;
