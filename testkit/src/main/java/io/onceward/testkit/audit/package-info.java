/**
 * The auditor: it hears everything that happens in a simulated cluster, keeps plain facts about it,
 * and holds named invariants against each event. It shares no code with the tables that it checks.
 * Start reading at {@code Auditor}, then {@code Invariant} and any of its named classes.
 */
@NullMarked
package io.onceward.testkit.audit;

import org.jspecify.annotations.NullMarked;
