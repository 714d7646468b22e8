/**
 * The guard at the two ends of HTTP. {@link io.onceward.http.IdempotencyFilter} stands before a
 * servlet application and gives every retry of a request with an {@code Idempotency-Key} the answer
 * of the first. {@link io.onceward.http.OutboundGuard} stands around {@link
 * java.net.http.HttpClient} and makes a call to somebody else's API happen once.
 *
 * <p>Start with {@code IdempotencyFilter}: it finds out what is asked; {@code Exchange} then holds
 * the life of one request with a key, and {@code CapturedResponse} holds its answer back until it
 * is recorded.
 */
@NullMarked
package io.onceward.http;

import org.jspecify.annotations.NullMarked;
