/**
 * The transactional home (rule G5): the memory of past requests is a table of the user's own
 * PostgreSQL, and claim, business SQL and reply commit as one.
 *
 * <p>Start with {@link io.onceward.jdbc.OnceTransaction}; {@link io.onceward.jdbc.Schema} makes and
 * checks the tables.
 */
@NullMarked
package io.onceward.jdbc;

import org.jspecify.annotations.NullMarked;
