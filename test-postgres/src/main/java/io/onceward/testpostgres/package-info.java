/**
 * A real PostgreSQL for tests, examples and benchmarks: nothing has to be installed, the programs
 * come out of a Maven artifact. Start with {@link io.onceward.testpostgres.PostgresServer}.
 */
@NullMarked
package io.onceward.testpostgres;

import org.jspecify.annotations.NullMarked;
