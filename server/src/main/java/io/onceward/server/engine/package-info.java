/**
 * The replicated log as the server needs it: {@link io.onceward.server.engine.Engine} is what it
 * asks of the log, {@link io.onceward.server.engine.Machine} what the log drives. Adapters live in
 * packages below; nothing else knows which log it is.
 */
@org.jspecify.annotations.NullMarked
package io.onceward.server.engine;
