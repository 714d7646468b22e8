package io.onceward.cli.demo;

import java.util.ArrayList;
import java.util.List;

/** One line of pieces in different inks, each character one column wide. */
final class InkedLine {
  private record Piece(Ink ink, String text) {}

  private final List<Piece> pieces = new ArrayList<>();
  private int width;

  InkedLine add(Ink ink, String text) {
    pieces.add(new Piece(ink, text));
    width += text.length();
    return this;
  }

  InkedLine add(String text) {
    return add(Ink.PLAIN, text);
  }

  /** Blanks up to this column, and one at least. */
  InkedLine to(int column) {
    return add(" ".repeat(Math.max(1, column - width)));
  }

  int width() {
    return width;
  }

  /** The line, cut to this many columns. */
  String print(int columns, boolean coloured) {
    StringBuilder line = new StringBuilder();
    int left = columns;
    for (Piece piece : pieces) {
      String text = piece.text.length() > left ? piece.text.substring(0, left) : piece.text;
      left -= text.length();
      if (coloured && piece.ink != Ink.PLAIN && !text.isEmpty()) {
        line.append("\u001b[").append(piece.ink.code()).append('m').append(text);
        line.append("\u001b[0m");
      } else {
        line.append(text);
      }
    }
    return line.toString();
  }
}
