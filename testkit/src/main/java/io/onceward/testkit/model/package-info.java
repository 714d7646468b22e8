/**
 * The whole judgement once more, as slow and plain as the specification reads: what each copy of a
 * request must be told, from the log alone. It shares no code with the tables that ship. Start
 * reading at {@code Model}.
 */
@NullMarked
package io.onceward.testkit.model;

import org.jspecify.annotations.NullMarked;
