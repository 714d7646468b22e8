/**
 * What clients and nodes say to each other: {@link io.onceward.wire.Question}s and {@link
 * io.onceward.wire.Answer}s, many to a message in both directions. The bytes are Protocol Buffers,
 * as {@code onceward.proto} beside these classes publishes them; requests inside are the frames of
 * docs/bytes.md, which go to the log as they are.
 */
@org.jspecify.annotations.NullMarked
package io.onceward.wire;
