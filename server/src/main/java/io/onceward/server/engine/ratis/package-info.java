/** The engine on Apache Ratis. The only package that knows it. */
@org.jspecify.annotations.NullMarked
package io.onceward.server.engine.ratis;
