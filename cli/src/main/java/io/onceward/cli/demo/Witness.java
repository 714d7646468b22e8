package io.onceward.cli.demo;

import io.onceward.Outcome;
import io.onceward.RequestId;
import io.onceward.client.Decided;
import io.onceward.wire.NodeStatus;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What the cluster says when it is asked at the end. Everything but a status is read linearizably.
 */
interface Witness {
  /** What became of a request. */
  CompletableFuture<Outcome> outcome(RequestId id);

  /** Sends a keyed request once more, as a caller would who never got his answer. */
  CompletableFuture<Decided> resend(RequestId.OfKey id, Errand errand);

  /** The value of a counter. */
  CompletableFuture<Long> counter(String name);

  /** The balance of an account. */
  CompletableFuture<Long> balance(String account);

  /** All money in the ledger, as the ledger itself adds it up. */
  CompletableFuture<Long> total();

  /** How each node is, with the digest of its tables and services. */
  CompletableFuture<List<NodeStatus>> digests();
}
