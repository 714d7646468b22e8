/**
 * One semantics in every home: conversations as text, which the replicated home, PostgreSQL and the
 * guard on each of its stores all have to answer alike. Start at {@link
 * io.onceward.testkit.conformance.Scripts}; a home takes part through {@link
 * io.onceward.testkit.conformance.Home}.
 */
@NullMarked
package io.onceward.testkit.conformance;

import org.jspecify.annotations.NullMarked;
