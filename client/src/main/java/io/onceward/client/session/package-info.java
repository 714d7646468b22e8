/**
 * How a client keeps its side of the promise, free of I/O: {@link
 * io.onceward.client.session.ClientSession} for requests of a session, {@link
 * io.onceward.client.session.ClientKeys} for requests under keys, {@link
 * io.onceward.client.session.LeaderSearch} for whom to ask, {@link
 * io.onceward.client.session.Journal} for what outlives the process.
 *
 * <p>All of them are plain objects: events and the time go in, actions come out through an
 * interface. They start no thread, read no clock, take no lock and throw no dice, so that the
 * simulator drives the very code that ships. Whoever drives one calls it from one thread at a time.
 */
@org.jspecify.annotations.NullMarked
package io.onceward.client.session;
