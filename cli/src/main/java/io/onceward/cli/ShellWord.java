package io.onceward.cli;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A word as it has to be typed, so that any POSIX shell reads just this word. */
final class ShellWord {
  private static final Pattern PLAIN =
      Pattern.compile("[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*");

  private ShellWord() {}

  /** The word itself where the shell reads nothing else into it, between quotes otherwise. */
  static String of(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  static String line(List<String> words) {
    return words.stream().map(ShellWord::of).collect(Collectors.joining(" "));
  }
}
