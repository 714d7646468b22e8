/**
 * The business of the crash test: a bank whose books name the request of each movement, so that
 * anybody can count. It stands in a database, behind HTTP ({@link
 * io.onceward.crash.bank.OutsideBank}), or in a replicated service ({@link
 * io.onceward.crash.bank.BankService}).
 */
@NullMarked
package io.onceward.crash.bank;

import org.jspecify.annotations.NullMarked;
