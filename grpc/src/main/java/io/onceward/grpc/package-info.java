/**
 * The guard before gRPC services: {@link io.onceward.grpc.OnceInterceptor} gives every retry of a
 * unary call that carries the metadata key {@code idempotency-key} the reply of the first. Start
 * there; {@code GuardedCall} is the life of one call.
 */
@NullMarked
package io.onceward.grpc;

import org.jspecify.annotations.NullMarked;
