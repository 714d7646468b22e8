package io.onceward.wire;

/**
 * A node's replica was not the same as the leader's, which must never be.
 *
 * @param position the entry as of which they were compared
 * @param own the node's digest, SHA-256 in hexadecimal
 * @param leaders the digest of the node that led then
 */
public record Difference(long position, String own, String leaders) {}
