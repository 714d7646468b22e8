package io.onceward.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessLockTest {
  @TempDir Path folder;

  @Test
  void secondAttemptHereKeepsOtherProcessesOut() throws Exception {
    Path file = folder.resolve("lock");
    try (ProcessLock lock = ProcessLock.take(file)) {
      assertThat(lock).isNotNull();
      for (int i = 0; i < 2; i++) {
        assertRefusedHere(file);
      }
      assertThat(tryElsewhere(file)).isEqualTo("process " + ProcessHandle.current().pid());
    }
    assertThat(tryElsewhere(file)).isEqualTo("free");
  }

  @Test
  void anyWayToTheFileIsTheSameLock() throws Exception {
    Path file = folder.resolve("lock");
    Path folderLink = Files.createSymbolicLink(folder.resolve("here"), folder);
    try (ProcessLock lock = ProcessLock.take(file)) {
      assertThat(lock).isNotNull();
      assertRefusedHere(folderLink.resolve("lock"));
      assertRefusedHere(
          folder.resolve("here").resolve("..").resolve(folder.getFileName() + "/lock"));
      assertRefusedHere(Files.createSymbolicLink(folder.resolve("soft"), file));
      assertRefusedHere(Files.createLink(folder.resolve("hard"), file));
      assertThat(tryElsewhere(file)).isEqualTo("process " + ProcessHandle.current().pid());
    }
  }

  /** Nobody has it then, so nobody could ever let go of it. */
  @Test
  void lockThatCouldNotBeTakenToTheEndIsFree() throws Exception {
    Path file = folder.resolve("lock");
    for (String failing : List.of("lock", "truncate", "write")) {
      for (Throwable failure :
          List.of(new OutOfMemoryError("for a test"), new IllegalStateException("for a test"))) {
        Path path =
            FailingFiles.path(
                file,
                step -> {
                  if (step.equals(failing)) {
                    sneak(failure);
                  }
                });
        assertThatThrownBy(() -> ProcessLock.take(path)).isSameAs(failure);
        assertThat(tryElsewhere(file)).isEqualTo("free");
        ProcessLock.take(file).close();
      }
    }
  }

  private static void sneak(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) failure;
  }

  /** Two web applications in one server each have their own copy of this class. */
  @Test
  void secondCopyOfTheClassKeepsOtherProcessesOutToo() throws Exception {
    Path file = folder.resolve("lock");
    URL[] classes = {ProcessLock.class.getProtectionDomain().getCodeSource().getLocation()};
    try (URLClassLoader loader = new URLClassLoader(classes, null)) {
      Class<?> copy = loader.loadClass(ProcessLock.class.getName());
      AutoCloseable theirs = (AutoCloseable) copy.getMethod("take", Path.class).invoke(null, file);
      assertRefusedHere(file);
      assertRefusedHere(file);
      assertThat(tryElsewhere(file)).isEqualTo("process " + ProcessHandle.current().pid());
      theirs.close();
      ProcessLock.take(file).close();
    }
  }

  @Test
  void freedLockCanBeTakenAgain() throws IOException {
    Path file = folder.resolve("lock");
    ProcessLock lock = ProcessLock.take(file);
    lock.close();
    lock.close();
    ProcessLock.take(file).close();
  }

  @Test
  void lockThatCannotBeMadeIsNotTaken() throws IOException {
    Path file = folder.resolve("missing").resolve("lock");
    assertThatThrownBy(() -> ProcessLock.take(file)).isInstanceOf(IOException.class);
    Files.createDirectory(folder.resolve("missing"));
    ProcessLock.take(file).close();
  }

  private static void assertRefusedHere(Path file) {
    assertThatThrownBy(() -> ProcessLock.take(file))
        .isInstanceOfSatisfying(
            FileInUseException.class, e -> assertThat(e.holder()).isEqualTo("this process"));
  }

  /** Who has the lock, as another process sees it. */
  private static String tryElsewhere(Path file) throws Exception {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                placeOf(ProcessLock.class) + File.pathSeparator + placeOf(ProcessLockTest.class),
                Taker.class.getName(),
                file.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(other.waitFor()).as(said).isZero();
    return said;
  }

  private static Path placeOf(Class<?> type) throws Exception {
    URI place = type.getProtectionDomain().getCodeSource().getLocation().toURI();
    return Path.of(place);
  }

  /** Takes a lock in a process of its own. */
  static final class Taker {
    private Taker() {}

    public static void main(String[] arguments) throws IOException {
      try {
        ProcessLock.take(Path.of(arguments[0])).close();
        System.out.print("free");
      } catch (FileInUseException e) {
        System.out.print(e.holder());
      }
    }
  }
}
