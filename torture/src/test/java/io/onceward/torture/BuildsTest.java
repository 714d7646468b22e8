package io.onceward.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.cli.Main;
import java.io.File;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildsTest {
  @TempDir Path folder;

  @Test
  void theOtherBuildHasTheSameClassesElsewhereAndThenComesTheFirstAgain() throws Exception {
    Builds builds = new Builds(folder.resolve("build"));
    String other = builds.next();
    assertThat(builds.next()).isEqualTo(System.getProperty("java.class.path"));
    assertThat(builds.next()).isEqualTo(other);

    List<URL> places = new ArrayList<>();
    for (String entry : other.split(File.pathSeparator, -1)) {
      places.add(Path.of(entry).toUri().toURL());
    }
    try (URLClassLoader loader = new URLClassLoader(places.toArray(URL[]::new), null)) {
      for (Class<?> type : List.of(Main.class, Builds.class)) {
        String name = type.getName().replace('.', '/') + ".class";
        assertThat(String.valueOf(loader.getResource(name))).contains(folder.toString());
        try (InputStream there = loader.getResourceAsStream(name);
            InputStream here = type.getClassLoader().getResourceAsStream(name)) {
          assertThat(there.readAllBytes()).isEqualTo(here.readAllBytes());
        }
      }
    }
  }
}
