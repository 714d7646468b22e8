package io.onceward.model;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One run of TLC: a module, its configuration, and whether it must hold or must fail. */
enum Check {
  WIDE("Wide", "Sessions", Kind.WHOLE, "2 clients, 3 requests each, 2 changes of leader"),
  REOPENING("Reopening", "Sessions", Kind.WHOLE, "a client that opens again; late copies"),
  OVERTAKING("Overtaking", "Sessions", Kind.WHOLE, "requests that overtake each other"),
  PROGRESS("Progress", "Sessions", Kind.WHOLE, "no session wedges (liveness)"),
  SMALL("Small", "Sessions", Kind.SMALL, "2 clients, 2 requests each, 2 changes of leader"),
  TABLE_LEFT_OUT("TableLeftOut", Kind.MUTANT, "a snapshot without the table"),
  DECIDED_AT_THE_DOOR("DecidedAtTheDoor", Kind.MUTANT, "the leader decides before the log does"),
  LOCAL_EXPIRY("LocalExpiry", Kind.MUTANT, "each node expires by its own clock"),
  WATERMARK_PASSES("WatermarkPasses", Kind.MUTANT, "a watermark passes what did not happen"),
  WATERMARK_REGRESSES("WatermarkRegresses", Kind.MUTANT, "an old watermark is taken as it comes"),
  NO_FENCING("NoFencing", Kind.MUTANT, "incarnations are not looked at");

  /** When a check runs, and what it has to say. */
  enum Kind {
    /** All of the model; must hold. */
    WHOLE,
    /** A part of it that takes seconds; must hold. */
    SMALL,
    /** A model with a mistake in it; must fail. */
    MUTANT
  }

  private final String text;
  private final String module;
  private final Kind kind;
  private final String description;

  Check(String text, Kind kind, String description) {
    this(text, text, kind, description);
  }

  Check(String text, String module, Kind kind, String description) {
    this.text = text;
    this.module = module;
    this.kind = kind;
    this.description = description;
  }

  /** What the command runs: the whole and the mutants, or the small and the mutants. */
  static List<Check> all(boolean small) {
    Kind left = small ? Kind.WHOLE : Kind.SMALL;
    return Arrays.stream(values()).filter(check -> check.kind != left).toList();
  }

  static @Nullable Check named(String text) {
    return Arrays.stream(values())
        .filter(check -> check.text.equalsIgnoreCase(text))
        .findFirst()
        .orElse(null);
  }

  String text() {
    return text;
  }

  String module() {
    return module;
  }

  String description() {
    return description;
  }

  boolean mustFail() {
    return kind == Kind.MUTANT;
  }
}
