package io.onceward.server.engine;

import io.onceward.wire.Member;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A replicated log of entries. It decides nothing about requests: it orders and keeps them. */
public interface Engine extends AutoCloseable {

  /**
   * How the engine is.
   *
   * @param role "leader", "follower", "candidate" or "starting"
   * @param leader id of the member that it takes for the leader; empty if unknown
   */
  record Status(
      String role,
      String leader,
      List<Member> members,
      long term,
      long committed,
      long snapshotPosition) {}

  /**
   * Hands an entry to the log. Returns at once, without waiting for disk or peers. Either {@link
   * Machine#apply} gets the handle back with the applied entry, or {@link Machine#lost} gets it;
   * exactly one of them, once. What is lost may still be applied later, here or elsewhere.
   */
  void submit(byte[] entry, Object handle);

  /**
   * Completes once everything that was committed before this call is applied here and this node has
   * been confirmed as leader after the call; fails if it does not lead. No log entry is written.
   */
  CompletableFuture<Void> readBarrier();

  /** Takes a snapshot in the background; gives its position once it is durable. */
  CompletableFuture<Long> takeSnapshot();

  /**
   * Makes another member the leader; an empty id lets the engine choose. This and the changes below
   * fail as {@link Declined} only if they did nothing and never will; after any other failure they
   * may still happen (O3).
   */
  CompletableFuture<Void> transferLeadership(String member);

  /**
   * Adds a node that was started to join and holds nothing; any other one is declined. Completes at
   * once if just this member is one already.
   */
  CompletableFuture<Void> addMember(Member member);

  /** Removes a member; completes at once if it is none. */
  CompletableFuture<Void> removeMember(String id);

  Status status();

  /** Stops taking part; what was submitted and not applied is lost. Idempotent. */
  @Override
  void close();
}
