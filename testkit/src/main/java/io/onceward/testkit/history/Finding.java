package io.onceward.testkit.history;

import java.util.List;

/**
 * What one check found.
 *
 * @param name of the check, which is that of its class
 * @param promise what it holds the history against
 * @param checked how many things it looked at; with 0 it says nothing
 * @param counted what else it counted, in words
 * @param violationCount how many there are; only the first are told
 * @param violations one text for each, with ids, clients, positions, serials and times
 */
public record Finding(
    String name,
    String promise,
    long checked,
    String counted,
    long violationCount,
    List<String> violations) {

  public boolean holds() {
    return violationCount == 0;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(holds() ? "holds  " : "BROKEN ");
    text.append(name).append(": ").append(promise).append("; checked ").append(checked);
    if (!counted.isEmpty()) {
      text.append(", ").append(counted);
    }
    for (String violation : violations) {
      text.append(System.lineSeparator()).append("    ").append(violation);
    }
    if (violationCount > violations.size()) {
      text.append(System.lineSeparator()).append("    and ");
      text.append(violationCount - violations.size()).append(" more");
    }
    return text.toString();
  }
}
