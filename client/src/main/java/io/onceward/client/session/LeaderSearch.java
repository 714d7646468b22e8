package io.onceward.client.session;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the node that leads. A node is asked whether it leads before anything else is sent to it;
 * that one small question spares the cluster all the requests that would only be turned away.
 *
 * <p>The nodes are asked one shortly after the other, each hint is followed at once, and a node
 * that does not answer holds nobody up: a process that was stopped still accepts connections. Each
 * node is asked again only after a pause, so that an outage costs little.
 *
 * <p>Among several that claim to lead, one whose term is lower than that of an earlier claim is not
 * believed: it has been deposed and does not know it.
 */
public final class LeaderSearch {

  /** What a search does to the world around it. */
  public interface Actions {
    /** Asks a node whether it leads; {@link #answered} or {@link #failed} tells. */
    void probe(String address);

    /** This node leads: everything goes there from now on. */
    void follow(String address);
  }

  /** After this long a lower term is believed: the cluster may have been formed anew. */
  private static final long DISBELIEF_MILLIS = 3_000;

  /**
   * How many nodes are kept that were not given but hinted at: more than a cluster has, and not
   * every address that its nodes ever had.
   */
  private static final int MOST_HINTED = 16;

  private static final class Node {
    final boolean given;
    boolean probing;

    /** Whether it could not be reached last time. */
    boolean failed;

    long dueMillis;
    long probedMillis = Long.MIN_VALUE / 2;

    Node(boolean given) {
      this.given = given;
    }
  }

  private final long pauseMillis;
  private final Actions actions;
  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private @Nullable String leader;
  private boolean searching;
  private long searchingSinceMillis;
  private long highestTerm;

  /**
   * Knows some nodes; others become known by hints.
   *
   * @param pauseMillis between two questions to the same node
   */
  public LeaderSearch(List<String> addresses, long pauseMillis, Actions actions) {
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException("at least one address is needed");
    }
    for (String address : addresses) {
      nodes.put(address, new Node(true));
    }
    this.pauseMillis = pauseMillis;
    this.actions = actions;
  }

  /** Whom everything is sent to; null while that is not known. */
  public @Nullable String leader() {
    return leader;
  }

  /** All nodes that are known: those that were given, and some that were hinted at. */
  public List<String> addresses() {
    return List.copyOf(nodes.keySet());
  }

  /** When {@link #tick} has something to do; {@code Long.MAX_VALUE} if never. */
  public long wakeMillis() {
    long wake = Long.MAX_VALUE;
    if (searching) {
      for (Node node : nodes.values()) {
        if (!node.probing) {
          wake = Math.min(wake, node.dueMillis);
        }
      }
    }
    return wake;
  }

  /** Begins to search, if it does not already. */
  public void search(long nowMillis) {
    if (searching) {
      return;
    }
    searching = true;
    searchingSinceMillis = nowMillis;
    leader = null;
    long due = nowMillis;
    for (Node node : nodes.values()) {
      long earliest = node.probedMillis + pauseMillis;
      node.dueMillis = Math.max(due, earliest);
      due += earliest <= due ? pauseMillis : 0;
    }
    tick(nowMillis);
  }

  /**
   * A probed node answered.
   *
   * @param hint where it believes the leader to be; empty if it does not know
   */
  public void answered(String address, boolean leads, long term, String hint, long nowMillis) {
    Node node = node(address);
    node.probing = false;
    node.failed = false;
    if (!searching) {
      return;
    }
    boolean longSought = nowMillis - searchingSinceMillis >= DISBELIEF_MILLIS;
    if (leads && (term >= highestTerm || longSought)) {
      highestTerm = term;
      searching = false;
      leader = address;
      actions.follow(address);
      return;
    }
    notThere(node, hint.equals(address) ? "" : hint, nowMillis);
  }

  /** The node cannot be reached, or the connection to it broke, or it has been silent too long. */
  public void failed(String address, long nowMillis) {
    Node node = nodes.get(address);
    if (node == null) {
      // A connection ended that somebody else wanted, or to a node that is forgotten.
      return;
    }
    node.probing = false;
    node.failed = true;
    if (address.equals(leader)) {
      node.probedMillis = nowMillis;
      search(nowMillis);
    } else if (searching) {
      notThere(node, "", nowMillis);
    }
  }

  /** The node that is followed said that it does not lead. */
  public void denied(String address, String hint, long nowMillis) {
    if (address.equals(leader)) {
      Node node = node(address);
      node.probedMillis = nowMillis;
      search(nowMillis);
      notThere(node, hint.equals(address) ? "" : hint, nowMillis);
    }
  }

  private void notThere(Node node, String hint, long nowMillis) {
    node.dueMillis = nowMillis + pauseMillis;
    Node next = hint.isEmpty() ? notAskedLately(nowMillis) : node(hint);
    if (next != null && !next.probing && nowMillis - next.probedMillis >= pauseMillis) {
      next.dueMillis = nowMillis;
    }
    tick(nowMillis);
  }

  private @Nullable Node notAskedLately(long nowMillis) {
    Node earliest = null;
    for (Node node : nodes.values()) {
      if (!node.probing
          && nowMillis - node.probedMillis >= pauseMillis
          && (earliest == null || node.probedMillis < earliest.probedMillis)) {
        earliest = node;
      }
    }
    return earliest;
  }

  /** Asks the nodes whose turn it is. */
  public void tick(long nowMillis) {
    if (!searching) {
      return;
    }
    for (Map.Entry<String, Node> entry : List.copyOf(nodes.entrySet())) {
      Node node = entry.getValue();
      if (searching && !node.probing && node.dueMillis <= nowMillis) {
        node.probing = true;
        node.probedMillis = nowMillis;
        actions.probe(entry.getKey());
      }
    }
  }

  private Node node(String address) {
    Node known = nodes.get(address);
    if (known == null) {
      makeRoom();
      known = new Node(false);
      nodes.put(address, known);
    }
    return known;
  }

  /** Forgets one that cannot be reached, if there is one, else who was hinted at first. */
  private void makeRoom() {
    int hinted = 0;
    String first = null;
    String unreachable = null;
    for (Map.Entry<String, Node> entry : nodes.entrySet()) {
      if (entry.getValue().given) {
        continue;
      }
      hinted++;
      String address = entry.getKey();
      if (!address.equals(leader)) {
        first = first == null ? address : first;
        unreachable = unreachable == null && entry.getValue().failed ? address : unreachable;
      }
    }
    String forgotten = unreachable == null ? first : unreachable;
    if (hinted >= MOST_HINTED && forgotten != null) {
      nodes.remove(forgotten);
    }
  }
}
