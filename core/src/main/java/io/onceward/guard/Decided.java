package io.onceward.guard;

/**
 * What a request resulted in.
 *
 * @param replay whether this copy was given the result of another, earlier or at the same time
 */
public record Decided<T>(T value, boolean replay) {}
