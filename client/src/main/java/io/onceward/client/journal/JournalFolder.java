package io.onceward.client.journal;

import io.onceward.files.Folders;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** The names of files, which have to be made durable like their content. */
final class JournalFolder {
  private JournalFolder() {}

  /** Writes the content of a file. */
  @FunctionalInterface
  interface Content {
    void writeTo(FileChannel out) throws IOException;
  }

  /** Puts new content in place of the file: after a crash there is the old or the new one. */
  static void replace(Path path, Content content) throws IOException {
    Path fresh = path.resolveSibling(path.getFileName() + ".new");
    try (FileChannel out =
        FileChannel.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      content.writeTo(out);
      out.force(true);
    }
    Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    syncFolderOf(path);
  }

  /** Makes the name of a file durable. */
  static void syncFolderOf(Path path) throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    if (folder != null) {
      Folders.sync(folder);
    }
  }

  /**
   * A file with two names would get two locks, and be replaced under one name only.
   *
   * @throws IOException if it has more than one
   */
  static void requireOneName(Path path) throws IOException {
    if (path.getFileSystem().supportedFileAttributeViews().contains("unix")
        && Files.getAttribute(path, "unix:nlink") instanceof Integer names
        && names > 1) {
      throw new IOException(
          "journal "
              + path
              + " has "
              + names
              + " names (hard links), under which two processes could use it at once; remove the"
              + " others, or copy it");
    }
  }
}
