/**
 * The journal of a durable client as a file: {@link io.onceward.client.journal.JournalFile}.
 *
 * <p>The file begins with {@code OWJRNL}, a version in two bytes, the client's name and a checksum.
 * Then follow batches, each written and synced as one: a mark, a number that counts up, a length, a
 * checksum, and records. The next batch is begun only when the one before is on disk, so a crash
 * can hurt nothing but the last.
 */
@org.jspecify.annotations.NullMarked
package io.onceward.client.journal;
