package io.onceward.crash.child;

import io.onceward.guard.Ruling;

/** Rulings as the lines that a caller is told. */
final class Rulings {
  private Rulings() {}

  static String line(Ruling ruling, boolean probed) {
    if (ruling instanceof Ruling.Replied replied) {
      return Worker.replied(replied.reply(), replied.replay(), probed);
    }
    if (ruling instanceof Ruling.Unknown unknown) {
      return "unknown " + oneLine(unknown.why() + (unknown.cause() == null ? "" : unknown.cause()));
    }
    return "other " + oneLine(ruling.toString());
  }

  static String oneLine(String text) {
    return text.replace('\n', ' ').replace('\r', ' ');
  }
}
