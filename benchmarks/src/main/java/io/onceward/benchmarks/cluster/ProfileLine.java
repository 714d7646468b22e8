package io.onceward.benchmarks.cluster;

import io.onceward.benchmarks.Json;
import io.onceward.benchmarks.Report;
import java.util.Locale;

/**
 * A part of where time or memory went.
 *
 * @param load what the processes were doing
 * @param process which of them it is about
 * @param by what it is divided by: threads, methods …
 * @param name of the part
 */
record ProfileLine(String load, String process, String by, String name, double value, String unit) {

  String text() {
    return String.format(
        Locale.ROOT,
        "profile %-10s %-10s %-20s %8s %-5s %s",
        load,
        process,
        by,
        Report.number(value),
        unit,
        name);
  }

  Json json() {
    Json line = new Json();
    line.text("profile", load);
    line.text("process", process);
    line.text("by", by);
    line.text("name", name);
    line.number("value", value);
    line.text("unit", unit);
    return line;
  }
}
