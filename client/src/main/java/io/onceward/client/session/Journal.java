package io.onceward.client.session;

/**
 * Where a durable client writes what it must not forget (C5). Records are kept in the order in
 * which they were appended. What was not synced may be missing after a crash, but only from the
 * end.
 */
public interface Journal {
  /**
   * Adds a record.
   *
   * @return its mark: greater than that of every record before
   */
  long append(JournalRecord record);

  /**
   * Makes everything that was appended so far durable, soon and together. When that has happened,
   * {@link ClientSession#synced} is called with the mark of the last of these records.
   */
  void sync();
}
