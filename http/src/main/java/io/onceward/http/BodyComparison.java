package io.onceward.http;

/** When the bodies of two requests with one key are the same. */
public enum BodyComparison {
  /** If they have the same bytes. */
  BYTES,

  /**
   * If they are the same JSON: the order of members, blanks, escapes and the spelling of numbers do
   * not count; null is not absent, and the order of an array counts. What is no JSON is compared by
   * its bytes.
   */
  JSON
}
