package io.onceward.testkit.history.search;

import java.util.List;

/** What the search came to. */
public sealed interface Verdict {

  /**
   * There is an order that explains every answer.
   *
   * @param keys how many keys there are, each of which has such an order
   * @param operations of all keys
   */
  record Linearizable(int keys, long operations) implements Verdict {}

  /**
   * There is no order that explains every answer.
   *
   * @param key the first key with which it is so
   * @param culprit the answer without which there would be an order: the earliest that cannot be
   *     explained by what was sent before it came
   * @param order the longest order that explains answers up to the culprit's
   * @param states in which it ends
   * @param stuck operations that would have to be next and cannot be
   */
  record NotLinearizable(
      Object key, String culprit, List<String> order, String states, List<String> stuck)
      implements Verdict {
    @Override
    public String toString() {
      int shown = Math.min(order.size(), 10);
      return "key "
          + key
          + ": nothing explains "
          + culprit
          + "; the longest order that explains the others has "
          + order.size()
          + " operations, at its end "
          + order.subList(order.size() - shown, order.size())
          + ", which leads to "
          + states
          + ", where none of these can follow: "
          + stuck;
    }
  }

  /** Time or room was over before the search was. */
  record Undecided(Object key, String why) implements Verdict {}
}
