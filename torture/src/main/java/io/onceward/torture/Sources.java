package io.onceward.torture;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The sources that this program was built from. */
final class Sources {
  private static final int SHORT = 12;

  private Sources() {}

  /** Their commit, and whether they differ from it; empty if nobody knows. */
  static String commit() {
    try {
      Path built =
          Path.of(Sources.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      String folder = (Files.isDirectory(built) ? built : built.resolveSibling("")).toString();
      String commit = Tool.run("git", "-C", folder, "rev-parse", "HEAD").strip();
      String root = Tool.run("git", "-C", folder, "rev-parse", "--show-toplevel").strip();
      boolean changed =
          !Tool.run("git", "-C", root, "status", "--porcelain", "--untracked-files=no").isBlank();
      return commit.substring(0, Math.min(SHORT, commit.length()))
          + (changed ? " with changes" : "");
    } catch (IOException | URISyntaxException noRepository) {
      return "";
    }
  }
}
