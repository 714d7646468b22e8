package io.onceward.testkit.world;

import io.onceward.wire.Answer;

/**
 * What reaches a caller, and what the auditor wants to know of it.
 *
 * @param decidedPosition the log position that decided it; 0 if the log did not
 * @param servedPosition the last position that the answering node had applied
 */
record Heard(Answer answer, long decidedPosition, long servedPosition) {}
