/**
 * The engine on Apache Ratis. The only package that knows it.
 *
 * <p>Start with {@link io.onceward.server.engine.ratis.RatisEngine}; what Ratis calls is {@code
 * EngineStateMachine}. Settings, and why they are so, are in {@code RatisSettings}. Everything else
 * is there because Ratis does something else than what is needed: {@code ReadBarriers} with the
 * {@code Peer…} classes because its reads are not linearizable, {@code LogInspection} because it
 * takes some damage for a crash and some crashes for damage, {@code SnapshotWriter} because it
 * would stop applying, {@code Failure}, {@code Notices} and {@code RatisServer} because it fails
 * silently, with locks held, or by ending the process.
 */
@org.jspecify.annotations.NullMarked
package io.onceward.server.engine.ratis;
