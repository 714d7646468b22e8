package io.onceward.cli.demo;

/** How a piece of text looks in a terminal. */
enum Ink {
  PLAIN("0"),
  BOLD("1"),
  DIM("2"),
  RED("31"),
  GREEN("32"),
  YELLOW("33"),
  BLUE("34"),
  MAGENTA("35"),
  CYAN("36"),
  BOLD_RED("1;31"),
  BOLD_GREEN("1;32"),
  BOLD_YELLOW("1;33"),
  BOLD_CYAN("1;36");

  private final String code;

  Ink(String code) {
    this.code = code;
  }

  String code() {
    return code;
  }
}
