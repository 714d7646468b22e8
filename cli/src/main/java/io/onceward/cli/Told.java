package io.onceward.cli;

/** What a service answered, for people and for programs, and what the shell learns of it. */
record Told(String line, Json json, ExitCode exit) {

  static Told done(String line, Json json) {
    return new Told(line, json, ExitCode.DONE);
  }
}
