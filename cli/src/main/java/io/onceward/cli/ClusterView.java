package io.onceward.cli;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.onceward.client.Onceward;
import io.onceward.wire.Member;
import io.onceward.wire.NodeStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Every node of a cluster, as each tells of itself, and those that tell nothing. */
final class ClusterView {
  /** Once one node has answered, the others that can will do so within this. */
  private static final long GRACE_MILLIS = 1_000;

  /**
   * A node that should be there.
   *
   * @param member null if nobody told which member lives at this address
   * @param status null if it does not answer
   */
  record Seen(String address, @Nullable Member member, @Nullable NodeStatus status) {
    String id() {
      return status != null ? status.id() : member != null ? member.id() : "?";
    }

    boolean leads() {
      return status != null && status.role().equals("leader");
    }
  }

  private final List<Seen> nodes;

  private ClusterView(List<Seen> nodes) {
    this.nodes = List.copyOf(nodes);
  }

  /**
   * Asks the given addresses who the members are, and then every member.
   *
   * @throws CommandFailure if nobody answers
   */
  static ClusterView of(Onceward client, List<String> addresses, boolean withDigest) {
    Map<String, @Nullable NodeStatus> asked = ask(client, addresses, withDigest, false);
    Map<String, Member> members = members(asked);
    if (members.isEmpty()) {
      throw new CommandFailure(
          ExitCode.UNREACHABLE,
          "no node answers at " + String.join(", ", addresses) + "; is a server running there?");
    }
    List<String> others = new ArrayList<>(members.keySet());
    others.removeAll(asked.keySet());
    asked.putAll(ask(client, others, withDigest, true));
    List<Seen> nodes = new ArrayList<>();
    members.forEach((address, member) -> nodes.add(new Seen(address, member, asked.get(address))));
    for (Map.Entry<String, @Nullable NodeStatus> other : asked.entrySet()) {
      // Somebody who was asked under another name of his address is there already.
      NodeStatus status = other.getValue();
      if (!members.containsKey(other.getKey())
          && (status == null || nodes.stream().noneMatch(seen -> seen.id().equals(status.id())))) {
        nodes.add(new Seen(other.getKey(), null, status));
      }
    }
    return new ClusterView(nodes);
  }

  private static Map<String, @Nullable NodeStatus> ask(
      Onceward client, List<String> addresses, boolean withDigest, boolean othersAnswered) {
    Map<String, CompletableFuture<@Nullable NodeStatus>> answers = new LinkedHashMap<>();
    CompletableFuture<?> first = new CompletableFuture<Void>();
    if (othersAnswered) {
      first.complete(null);
    }
    for (String address : addresses) {
      CompletableFuture<NodeStatus> answer = client.admin().status(address, withDigest);
      answers.put(
          address,
          answer.handle(
              (status, problem) -> {
                if (status != null) {
                  first.complete(null);
                }
                return status;
              }));
    }
    CompletableFuture<?> all =
        CompletableFuture.allOf(answers.values().toArray(CompletableFuture<?>[]::new));
    CompletableFuture<?> grace =
        first.thenCompose(
            one ->
                new CompletableFuture<Void>().completeOnTimeout(null, GRACE_MILLIS, MILLISECONDS));
    // A digest takes its time on a healthy node too; the client gives up on its own.
    (withDigest ? all : CompletableFuture.anyOf(all, grace)).join();
    Map<String, @Nullable NodeStatus> told = new LinkedHashMap<>();
    answers.forEach((address, answer) -> told.put(address, answer.getNow(null)));
    return told;
  }

  /** By client address, as those who answered know them; who knows nobody is alone. */
  private static Map<String, Member> members(Map<String, @Nullable NodeStatus> asked) {
    Map<String, Member> members = new LinkedHashMap<>();
    asked.forEach(
        (address, status) -> {
          if (status != null) {
            status.members().forEach(member -> members.put(member.clientAddress(), member));
          }
        });
    return members;
  }

  List<Seen> nodes() {
    return nodes;
  }

  /** Who leads, as the leader itself says. If two say so, the one of the later term is right. */
  @Nullable NodeStatus leader() {
    NodeStatus leader = null;
    for (Seen node : nodes) {
      NodeStatus status = node.status();
      if (status != null
          && status.role().equals("leader")
          && (leader == null || status.term() > leader.term())) {
        leader = status;
      }
    }
    return leader;
  }
}
