package io.onceward.testkit.audit;

/** The beginning of a log entry, before any of its requests is judged. */
public record Entered(long position, long term, long stampMillis, long clusterTag) {}
