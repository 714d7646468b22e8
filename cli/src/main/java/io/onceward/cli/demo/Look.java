package io.onceward.cli.demo;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the terminal can show.
 *
 * @param coloured whether colours are wanted; people say no with NO_COLOR
 * @param rich whether it shows more than ASCII
 */
record Look(boolean coloured, boolean rich) {

  static Look of(Map<String, String> environment) {
    String no = environment.get("NO_COLOR");
    return new Look(no == null || no.isEmpty(), speaksUtf8(environment));
  }

  private static boolean speaksUtf8(Map<String, String> environment) {
    for (String name : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
      @Nullable String locale = environment.get(name);
      if (locale != null && !locale.isEmpty()) {
        String lower = locale.toLowerCase(Locale.ROOT);
        return lower.contains("utf-8") || lower.contains("utf8");
      }
    }
    return false;
  }

  /** Eighths of a cell, from nothing to full. */
  String levels() {
    return rich ? " ▁▂▃▄▅▆▇█" : " ..::||##";
  }

  String dot() {
    return rich ? "●" : "*";
  }

  String hollow() {
    return rich ? "○" : "o";
  }

  String cross() {
    return rich ? "✖" : "x";
  }

  String crown() {
    return rich ? "★" : ">";
  }

  String pause() {
    return rich ? "‖" : "=";
  }

  String yes() {
    return rich ? "✔" : "ok";
  }

  String no() {
    return rich ? "✘" : "NO";
  }

  String bar() {
    return rich ? "━" : "=";
  }

  String rail() {
    return rich ? "─" : "-";
  }
}
