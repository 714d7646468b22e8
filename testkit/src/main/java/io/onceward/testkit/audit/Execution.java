package io.onceward.testkit.audit;

import io.onceward.Reply;

/**
 * One run of the simulated service on one node.
 *
 * @param wish the number of the caller's wish, as the command's payload says
 * @param principal as whose the service was told to execute it
 * @param reply what the service answered; {@link Reply#FAILED} if it threw
 */
public record Execution(long wish, String principal, Reply reply) {}
