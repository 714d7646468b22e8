package io.onceward.client;

import io.onceward.Executed;
import java.nio.file.Path;

/**
 * The journal cannot be used: it is locked, damaged, of another client, or its disk failed. Nothing
 * is sent without it. What it holds is recovered when it can be opened again.
 */
public final class JournalException extends OncewardException {
  private static final long serialVersionUID = 1L;

  JournalException(Path journal, Throwable cause) {
    super(message(journal, cause), Executed.UNKNOWN, false, null, cause);
  }

  private static String message(Path journal, Throwable cause) {
    String text = String.valueOf(cause.getMessage());
    return text.contains(journal.toString()) ? text : "journal " + journal + ": " + text;
  }
}
