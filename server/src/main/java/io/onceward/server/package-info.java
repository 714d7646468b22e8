/**
 * A node: {@link io.onceward.server.OncewardServer} puts the pieces together. Requests come in
 * through the gateway, pass the {@link io.onceward.server.Door}, go through the {@link
 * io.onceward.server.engine.Engine}, are decided by the replica, and leave the way they came.
 */
@org.jspecify.annotations.NullMarked
package io.onceward.server;
