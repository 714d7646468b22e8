package io.onceward.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTroubleTest {
  @TempDir private Path folder;

  @Test
  void whatAFileSystemRefusesIsSaidInWords() throws IOException {
    Path missing = folder.resolve("missing");
    assertThat(wordsOf(() -> Files.readString(missing))).isEqualTo("there is no " + missing);
    assertThat(wordsOf(() -> Files.readString(folder))).isEqualTo("it is a folder");
    Path file = Files.write(folder.resolve("file"), new byte[] {(byte) 0xff});
    assertThat(wordsOf(() -> Files.readString(file, StandardCharsets.UTF_8)))
        .isEqualTo("it is not UTF-8");
    assertThat(wordsOf(() -> Folders.make(file))).isEqualTo(file + " is a file, not a folder");
    assertThat(wordsOf(() -> Folders.make(file.resolve("below"))))
        .isEqualTo(file + " is a file, not a folder");
  }

  @Test
  void noNameOfAClassStandsWhereThereAreWords() {
    assertThat(FileTrouble.inWords(new AccessDeniedException("/x")))
        .isEqualTo("no permission for /x");
    assertThat(FileTrouble.inWords(new FileSystemException("/x", null, "Read-only file system")))
        .isEqualTo("/x: Read-only file system");
    assertThat(FileTrouble.inWords(new IOException("No space left on device")))
        .isEqualTo("No space left on device");
    assertThat(FileTrouble.inWords(new IOException())).isEqualTo("IOException");
  }

  private static String wordsOf(ThrowingCallable tried) {
    return FileTrouble.inWords(catchThrowableOfType(IOException.class, tried));
  }
}
