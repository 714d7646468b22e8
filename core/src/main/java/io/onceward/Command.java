package io.onceward;

/**
 * One request as its service sees it.
 *
 * @param payload what the client asked; valid only during the call
 * @param principal who asked
 * @param position the log position of the entry that carries it
 * @param timeMillis log time (T2), the only time a service may read
 */
public record Command(Bytes payload, String principal, long position, long timeMillis) {}
