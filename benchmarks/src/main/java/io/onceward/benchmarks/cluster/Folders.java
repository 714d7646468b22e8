package io.onceward.benchmarks.cluster;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Removes what a measurement leaves behind. */
final class Folders {
  private Folders() {}

  /** Deletes a folder and what is in it; does its best if servers still write there. */
  static void delete(Path folder) {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try {
      Path unused =
          Files.walkFileTree(
              folder,
              new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                    throws IOException {
                  boolean unused = Files.deleteIfExists(file);
                  return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException gone) {
                  return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path each, IOException problem)
                    throws IOException {
                  boolean unused = Files.deleteIfExists(each);
                  return FileVisitResult.CONTINUE;
                }
              });
    } catch (IOException e) {
      // It is in the folder for temporary files; whoever cleans that up takes this along.
    }
  }
}
