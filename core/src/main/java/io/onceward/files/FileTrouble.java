package io.onceward.files;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Why a file or a folder could not be used, in words for people instead of names of classes. */
public final class FileTrouble {
  private FileTrouble() {}

  /** A clause that can follow what was tried and a colon. */
  public static String inWords(IOException problem) {
    if (problem instanceof CharacterCodingException) {
      return "it is not UTF-8";
    }
    if (problem instanceof FileSystemException about) {
      return about(about);
    }
    String message = problem.getMessage();
    if (message == null || message.isBlank()) {
      return problem.getClass().getSimpleName();
    }
    // The words of the operating system, which name no path.
    return message.equals("Is a directory") ? "it is a folder" : message;
  }

  private static String about(FileSystemException problem) {
    String file = problem.getFile();
    if (problem instanceof NoSuchFileException) {
      return "there is no " + file;
    }
    if (problem instanceof AccessDeniedException) {
      return "no permission for " + file;
    }
    if (problem instanceof FileAlreadyExistsException || problem instanceof NotDirectoryException) {
      return file + " is a file, not a folder";
    }
    String reason = problem.getReason();
    return file + ": " + (reason == null ? problem.getClass().getSimpleName() : reason);
  }
}
