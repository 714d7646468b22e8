/**
 * How messages get to a node and back: {@link io.onceward.client.transport.Transport} is what the
 * client needs, {@link io.onceward.client.transport.GrpcTransport} has it from gRPC. Nothing else
 * in the client knows gRPC.
 */
@org.jspecify.annotations.NullMarked
package io.onceward.client.transport;
