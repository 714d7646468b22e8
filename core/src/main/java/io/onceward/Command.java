package io.onceward;

/**
 * One request as its service sees it.
 *
 * @param payload what the client asked; valid only during the call
 * @param principal who asked
 * @param position the log position of the entry that carries it
 * @param timeMillis log time (T2): what a calendar says. It may stand still or jump ahead with a
 *     leader's clock, so nothing may end by it
 * @param ageMillis age (T3): how long the cluster has been at work. Leases and whatever else a
 *     service lets run out are measured by it, since neither an outage nor a clock that jumps makes
 *     it grow
 */
public record Command(
    Bytes payload, String principal, long position, long timeMillis, long ageMillis) {}
