/**
 * The guard around effects that happen outside: somebody's API, a mail, a printer (section G of the
 * promises). Effect and memory cannot be one step there, so the guard never guesses: what it cannot
 * know it calls unknown, and asks a probe or a person.
 *
 * <p>Start with {@link io.onceward.guard.Once}, the typed face; {@link io.onceward.guard.Guard} is
 * the same in bytes, for those who build on it. {@link io.onceward.guard.ClaimStore} is where
 * memory lives and the one door for extension; every store passes the contract in the testkit.
 */
@NullMarked
package io.onceward.guard;

import org.jspecify.annotations.NullMarked;
