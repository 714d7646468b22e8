/**
 * Hostile peers: raw sockets that send what no client would, against a running server, while honest
 * clients go on (L1, L2). Start at {@link io.onceward.torture.hostile.Hostile}; what peers do is in
 * {@link io.onceward.torture.hostile.Attack}.
 */
@org.jspecify.annotations.NullMarked
package io.onceward.torture.hostile;
