/**
 * What it costs to let business SQL happen once, on a real PostgreSQL. Start with {@link
 * io.onceward.benchmarks.jdbc.JdbcBench}.
 */
@NullMarked
package io.onceward.benchmarks.jdbc;

import org.jspecify.annotations.NullMarked;
