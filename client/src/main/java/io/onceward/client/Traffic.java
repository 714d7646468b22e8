package io.onceward.client;

/**
 * What a client has done since it was connected.
 *
 * @param copies copies of requests and questions that were sent
 * @param resent of these, how many were not the first of their request
 * @param connectionsLost connections that broke, were refused, or fell silent
 * @param leadersFound how often a node was found to lead
 */
public record Traffic(long copies, long resent, long connectionsLost, long leadersFound) {}
