package io.onceward.torture.hostile;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The attacker's side of an attack: its peers, how many there were, and how the victim parted from
 * them. One thread drives it, in {@linkplain #STRIKES_PER_SECOND strikes}, each of which does a
 * fixed amount of harm; that bounds how fast the attack is.
 */
final class Siege implements AutoCloseable {
  static final int STRIKES_PER_SECOND = 100;

  /** How many connections a strike makes at most, unless the attack consists of them. */
  private static final int CONNECTIONS_PER_STRIKE = 2;

  private static final int PEERS_HEARD_PER_STRIKE = 100;
  private static final int END_LENGTH = 90;

  private final int port;
  private final String path;
  private final int scale;
  private final Random random = new Random(1);
  private final List<RawPeer> peers = new ArrayList<>();
  private final Map<String, Integer> ends = new TreeMap<>();
  private int next;
  private long connections;
  private long bytes;
  private long units;
  private int most;

  /**
   * @param path the method of gRPC that is served at this port
   * @param scale crowds are of this part of a hundred
   */
  Siege(int port, String path, int scale) {
    this.port = port;
    this.path = path;
    this.scale = scale;
  }

  /** What came of it. */
  record Account(long connections, int most, long units, long bytes, Map<String, Integer> ends) {}

  Account account() {
    long all = bytes;
    for (RawPeer peer : peers) {
      all += peer.sent();
    }
    return new Account(connections, most, units, all, Map.copyOf(ends));
  }

  String path() {
    return path;
  }

  Random random() {
    return random;
  }

  List<RawPeer> peers() {
    return peers;
  }

  /** How many of a crowd there are in this run. */
  int crowd(int whole) {
    return Math.max(1, (int) ((long) whole * scale / 100));
  }

  /** Counts harm done: frames, messages, questions, whatever the attack consists of. */
  void count(int more) {
    units += more;
  }

  /** Sees to it that there are so many peers; new ones are greeted with these bytes. */
  void hold(int count, byte[] greeting) {
    hold(count, CONNECTIONS_PER_STRIKE, peer -> peer.send(greeting));
  }

  void hold(int count, int perStrike, Consumer<RawPeer> greeting) {
    listen();
    for (int i = 0; i < perStrike && peers.size() < count; i++) {
      RawPeer peer;
      try {
        peer = RawPeer.connect(port);
      } catch (IOException refused) {
        ends.merge("not accepted: " + refused.getMessage(), 1, Integer::sum);
        return;
      }
      connections++;
      peers.add(peer);
      most = Math.max(most, peers.size());
      greeting.accept(peer);
    }
  }

  /** The next peers in turn, each time others. */
  List<RawPeer> turn(int count) {
    List<RawPeer> chosen = new ArrayList<>();
    for (int i = 0; i < Math.min(count, peers.size()); i++) {
      next = (next + 1) % peers.size();
      chosen.add(peers.get(next));
    }
    return chosen;
  }

  /** Hears what the victim says to some peers, and lets go of those that it parted from. */
  void listen() {
    for (RawPeer peer : turn(PEERS_HEARD_PER_STRIKE)) {
      peer.flush();
      peer.listen();
      if (!peer.isOpen()) {
        part(peer);
      }
    }
  }

  void part(RawPeer peer) {
    String end = peer.isOpen() ? "left" : peer.end();
    ends.merge(end.substring(0, Math.min(end.length(), END_LENGTH)), 1, Integer::sum);
    bytes += peer.sent();
    peers.remove(peer);
    peer.close();
  }

  /** Goes away, all at once. */
  @Override
  public void close() {
    for (RawPeer peer : peers) {
      peer.close();
    }
    peers.clear();
  }
}
