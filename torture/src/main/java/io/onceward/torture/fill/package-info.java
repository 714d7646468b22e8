/**
 * Tries to fill everything that a cluster keeps: services, tables, queues, files (B5, K6). No node
 * may end, what does not fit is refused as {@code OVERLOADED}, and reads and deletes go on. Start
 * at {@link io.onceward.torture.fill.Fill}; what is filled, and how it is emptied again, is in
 * {@link io.onceward.torture.fill.Filler}.
 */
@org.jspecify.annotations.NullMarked
package io.onceward.torture.fill;
