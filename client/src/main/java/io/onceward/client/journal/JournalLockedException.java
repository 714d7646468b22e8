package io.onceward.client.journal;

import java.io.IOException;
import java.nio.file.Path;

/** Another process, or another session of this one, is using the journal (C5). */
public final class JournalLockedException extends IOException {
  private static final long serialVersionUID = 1L;

  JournalLockedException(Path file, String holder) {
    super(
        "journal "
            + file
            + " is locked by "
            + holder
            + "; a durable name and its journal belong to one process at a time");
  }
}
