package io.onceward.golden;

import java.util.ArrayList;
import java.util.List;

/** One command line of a script, read word by word; {@code "quoted text"} is one word. */
final class Words {
  /** A word, and whether it stood in quotes. */
  private record Word(String text, boolean quoted) {}

  private final String line;
  private final List<Word> words;
  private int next;

  private Words(String line, List<Word> words) {
    this.line = line;
    this.words = words;
  }

  static Words of(String line) {
    List<Word> words = new ArrayList<>();
    int at = 0;
    while (at < line.length()) {
      if (line.charAt(at) == ' ') {
        at++;
      } else if (line.charAt(at) == '"') {
        int end = line.indexOf('"', at + 1);
        if (end < 0) {
          throw new ScriptException("a quote is not closed in: " + line);
        }
        words.add(new Word(line.substring(at + 1, end), true));
        at = end + 1;
      } else {
        int end = line.indexOf(' ', at);
        end = end < 0 ? line.length() : end;
        words.add(new Word(line.substring(at, end), false));
        at = end;
      }
    }
    return new Words(line, words);
  }

  boolean hasMore() {
    return next < words.size();
  }

  /** Whether the next word is a number, so that a sequence can be told from a key. */
  boolean numberFollows() {
    return hasMore() && words.get(next).text().matches("\\d+");
  }

  /** The next word, which is called {@code what} if it is missing. */
  String word(String what) {
    if (!hasMore() || words.get(next).quoted()) {
      throw new ScriptException("expected " + what + " as word " + (next + 1) + " of: " + line);
    }
    return words.get(next++).text();
  }

  /** The next word, in quotes. */
  String quoted(String what) {
    if (!hasMore() || !words.get(next).quoted()) {
      throw new ScriptException(
          "expected " + what + " in quotes as word " + (next + 1) + " of: " + line);
    }
    return words.get(next++).text();
  }

  /** Takes these words if they come next. */
  boolean take(String phrase) {
    String[] wanted = phrase.split(" ", -1);
    if (words.size() - next < wanted.length) {
      return false;
    }
    for (int i = 0; i < wanted.length; i++) {
      Word word = words.get(next + i);
      if (word.quoted() || !word.text().equals(wanted[i])) {
        return false;
      }
    }
    next += wanted.length;
    return true;
  }

  long number(String what) {
    String word = word(what);
    try {
      return Long.parseLong(word);
    } catch (NumberFormatException e) {
      throw new ScriptException("expected a number for " + what + ", got " + word + " in: " + line);
    }
  }

  long durationMillis(String what) {
    return Durations.parse(word(what));
  }

  /** Makes sure that every word was understood. */
  void end() {
    if (hasMore()) {
      throw new ScriptException(
          "did not understand \"" + words.get(next).text() + "\" at the end of: " + line);
    }
  }

  @Override
  public String toString() {
    return line;
  }
}
