package io.onceward.torture.net;

import io.onceward.wire.Member;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The network of one run. Parties are the nodes, by their ids, and {@link #CLIENTS}. Each node is
 * known by an address at which a {@link Proxy} stands, and listens at another.
 */
public abstract class Network implements Closeable {
  /** The party of all who are no node. */
  public static final String CLIENTS = "clients";

  private final Lanes lanes = new Lanes();
  private final List<Closeable> proxies = new ArrayList<>();

  Network() {}

  /**
   * With namespaces if this process may make them, else on loopback.
   *
   * @param names of the nodes that there will ever be
   */
  public static Network of(List<String> names, boolean loopbackOnly) throws IOException {
    return !loopbackOnly && Namespaces.possible() ? new Namespaces(names) : new Loopback(names);
  }

  /** How a node is known. */
  public abstract Member member(String node);

  /** The address on which it listens. */
  public abstract String bindHost(String node);

  /** Words that bring a command to where the node is. */
  public abstract List<String> whereabouts(String node);

  /** The process of a node is this one now. */
  public abstract void runs(String node, long pid);

  /** Whether packets can be lost here; otherwise only bytes can be held up. */
  public abstract boolean losesPackets();

  /** In words, for people. */
  public abstract String description();

  /** The party that made a connection. */
  abstract String partyOf(java.net.Socket socket);

  /** The address from which a node sees a party come; null if it does not matter. */
  abstract @Nullable InetAddress appearance(String party);

  /** Puts a proxy in front of both ports of a node. */
  final void guard(String node) throws IOException {
    Member member = member(node);
    for (int port : new int[] {member.clientPort(), member.peerPort()}) {
      proxies.add(
          new Proxy(
              lanes,
              node,
              new InetSocketAddress(member.host(), port),
              new InetSocketAddress(bindHost(node), port),
              this::partyOf,
              this::appearance));
    }
  }

  // ---- faults ---------------------------------------------------------------------------------

  /** No byte goes from one party to the other; connections stand. */
  public void stall(String source, String target) {
    lanes.between(source, target).stall();
  }

  /** Each piece from one party to the other takes longer. */
  public void slow(String source, String target, int millis) {
    lanes.between(source, target).slow(millis);
  }

  /** Resets the connections between two parties. */
  public int cut(String one, String other) {
    return lanes.cut(one, other);
  }

  /** Lets that many of the connections between two parties die without a sign. */
  public int freeze(String one, String other, int most) {
    return lanes.freeze(one, other, most);
  }

  /** Loses all packets from one party to another; the same as {@link #stall} where it cannot. */
  public void drop(String source, String target) throws IOException {
    stall(source, target);
  }

  /** Loses packets that arrive at a node, at random; where it cannot, they are delayed. */
  public void loseSome(String node, double probability, List<String> others) throws IOException {
    for (String other : others) {
      slow(other, node, (int) (probability * 200));
    }
  }

  /** Answers what a node sends to another with a reset, and cuts what stands. */
  public void reject(String source, String target) throws IOException {
    stall(source, target);
    cut(source, target);
  }

  /** Everything passes again. */
  public void heal() throws IOException {
    lanes.healAll();
  }

  @Override
  public void close() throws IOException {
    for (Closeable proxy : proxies) {
      proxy.close();
    }
    lanes.close();
  }
}
