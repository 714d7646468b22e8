package io.onceward.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Folders that survive a loss of power: a name lasts once the folder that holds it is synced. */
public final class Folders {
  private Folders() {}

  /** Makes a folder, and those above it that are missing; the name of each is synced. */
  public static void make(Path folder) throws IOException {
    makeAll(folder.toAbsolutePath());
  }

  private static void makeAll(@Nullable Path folder) throws IOException {
    if (folder == null || Files.isDirectory(folder)) {
      return;
    }
    Path above = folder.getParent();
    makeAll(above);
    try {
      Files.createDirectory(folder);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder)) {
        throw e;
      }
    }
    if (above != null) {
      sync(above);
    }
  }

  /** Makes the names in a folder survive a loss of power. */
  public static void sync(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
