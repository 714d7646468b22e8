package io.onceward.replica;

/** The present value of each parameter. Changed only by logged commands (T1). */
final class Parameters {
  private final long[] values = new long[Parameter.values().length];

  Parameters() {
    for (Parameter parameter : Parameter.values()) {
      values[parameter.ordinal()] = parameter.initial();
    }
  }

  long value(Parameter parameter) {
    return values[parameter.ordinal()];
  }

  void set(Parameter parameter, long value) {
    values[parameter.ordinal()] = value;
  }

  long[] copy() {
    return values.clone();
  }
}
