package io.onceward.cli;

import io.onceward.replica.Parameter;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A {@link Parameter} as people write it: with dashes, and a duration where it is a time. */
record ParameterText(Parameter parameter) {
  private static final String TIME = "_MILLIS";

  /**
   * Finds a parameter by its name.
   *
   * @throws IllegalArgumentException if there is none; the message lists what there is
   */
  static ParameterText parse(String name) {
    for (Parameter parameter : Parameter.values()) {
      ParameterText text = new ParameterText(parameter);
      if (text.name().equals(name)) {
        return text;
      }
    }
    throw new IllegalArgumentException(
        "there is no parameter \""
            + name
            + "\"; there are "
            + Arrays.stream(Parameter.values())
                .map(parameter -> new ParameterText(parameter).name())
                .collect(Collectors.joining(", ")));
  }

  private boolean isTime() {
    return parameter.name().endsWith(TIME);
  }

  String name() {
    String name = parameter.name();
    return (isTime() ? name.substring(0, name.length() - TIME.length()) : name)
        .toLowerCase(Locale.ROOT)
        .replace('_', '-');
  }

  /**
   * Reads a value.
   *
   * @throws IllegalArgumentException if it is none, or out of range; the message says what is
   *     allowed
   */
  long value(String text) {
    if (text.equals(print(0))) {
      return checked(0);
    }
    return checked(isTime() ? DurationText.parse(text).toMillis() : number(text));
  }

  /** The value itself, if it is within the range. */
  long checked(long value) {
    if (value < parameter.least() || value > parameter.most()) {
      throw new IllegalArgumentException(
          name()
              + " is from "
              + print(parameter.least())
              + " to "
              + print(parameter.most())
              + ", not "
              + print(value));
    }
    return value;
  }

  private long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException notANumber) {
      throw new IllegalArgumentException(
          name() + " is a whole number, not \"" + text + "\"", notANumber);
    }
  }

  String print(long value) {
    return isTime() ? DurationText.exact(value) : String.valueOf(value);
  }
}
