package io.onceward.replica;

import io.onceward.Reply;

/** The table that judged a request last and will remember its reply. */
interface Memory {
  /** The limit that stands in the way of remembering the request that was judged last, or empty. */
  String obstacle(Principal who);

  /** Records the reply of the request that was judged last, in the same step as its effect (E6). */
  void remember(
      Principal who,
      long position,
      long timeMillis,
      boolean fingerprinted,
      long fingerprint,
      Reply reply);
}
