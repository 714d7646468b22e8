package io.onceward.torture;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * Two builds of the same version: the one that this process runs, and one that is packed anew from
 * the same classes, elsewhere; libraries are the same. A rolling restart goes from the one to the
 * other, and the next one back, so that for a while nodes of both are in the cluster.
 */
final class Builds {
  private final Path folder;
  private final List<String> classPaths = new ArrayList<>();
  private int next;

  /**
   * @param folder where the other build goes, once it is needed
   */
  Builds(Path folder) {
    this.folder = folder;
    classPaths.add(System.getProperty("java.class.path"));
  }

  /** The class path of the build whose turn it is. */
  String next() throws IOException {
    if (classPaths.size() == 1) {
      classPaths.add(packedAnew(classPaths.get(0)));
    }
    next = 1 - next;
    return classPaths.get(next);
  }

  private String packedAnew(String classPath) throws IOException {
    Files.createDirectories(folder);
    List<String> entries = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      Path jar = folder.resolve(entries.size() + ".jar");
      if (Files.isDirectory(path)) {
        pack(path, jar);
        entries.add(jar.toString());
      } else if (hasOurClasses(path)) {
        entries.add(Files.copy(path, jar).toString());
      } else {
        entries.add(entry);
      }
    }
    String packed = String.join(File.pathSeparator, entries);
    if (packed.equals(classPath)) {
      throw new IllegalStateException("no classes of Onceward are on the class path " + classPath);
    }
    return packed;
  }

  private static boolean hasOurClasses(Path jar) throws IOException {
    if (!Files.isRegularFile(jar)) {
      return false;
    }
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream().anyMatch(entry -> entry.getName().startsWith("io/onceward/"));
    }
  }

  private static void pack(Path classes, Path jar) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file);
        Stream<Path> paths = Files.walk(classes)) {
      for (Path path : paths.filter(Files::isRegularFile).sorted().toList()) {
        out.putNextEntry(new ZipEntry(classes.relativize(path).toString()));
        Files.copy(path, out);
        out.closeEntry();
      }
    }
  }
}
