package io.onceward.cli;

import io.onceward.Bytes;
import io.onceward.files.FileTrouble;
import io.onceward.replica.Parameter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The value of a key, which stands on the command line, in a file, or on the standard input. */
final class ValueArgument {
  /** The cluster may be set to take less, never more. */
  private static final int MOST_BYTES = (int) Parameter.MAX_COMMAND_BYTES.most();

  private final Terminal terminal;

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "Take the value from a file, byte for byte; - is the standard input.")
  private @Nullable String file;

  private @Nullable Bytes read;

  ValueArgument(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Whether a file is named. */
  boolean isGiven() {
    return file != null;
  }

  /**
   * The value; read once, however often it is asked for.
   *
   * @param text the value if it stands on the command line
   * @throws IllegalArgumentException if it is not given, given twice, or cannot be read
   */
  Bytes bytes(@Nullable String text) {
    Bytes bytes = read;
    if (bytes == null) {
      bytes = find(text);
      read = bytes;
    }
    return bytes;
  }

  private Bytes find(@Nullable String text) {
    if (text != null && file != null) {
      throw new IllegalArgumentException("give the value as VALUE or with --file, not both");
    }
    if (text != null) {
      return Bytes.utf8(text);
    }
    if (file == null) {
      throw new IllegalArgumentException("the value is missing: give VALUE, or --file FILE");
    }
    try (InputStream in = file.equals("-") ? terminal.in() : Files.newInputStream(Path.of(file))) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw new IllegalArgumentException(
            (file.equals("-") ? "the input" : file)
                + " has more than "
                + MOST_BYTES
                + " bytes, and no cluster takes a longer command");
      }
      return Bytes.of(bytes);
    } catch (NoSuchFileException missing) {
      throw new IllegalArgumentException("there is no file " + file, missing);
    } catch (IOException problem) {
      throw new IllegalArgumentException(
          "cannot read " + file + ": " + FileTrouble.inWords(problem), problem);
    }
  }
}
