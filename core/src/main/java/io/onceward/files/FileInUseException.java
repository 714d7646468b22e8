package io.onceward.files;

import java.io.IOException;
import java.nio.file.Path;

/** The lock is taken, here or in another process. */
public final class FileInUseException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String holder;

  FileInUseException(Path file, String holder) {
    super(file + " is locked by " + holder);
    this.holder = holder;
  }

  /** Who has it: {@code this process}, {@code process 4711} or {@code another process}. */
  public String holder() {
    return holder;
  }
}
