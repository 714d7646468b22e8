package io.onceward.torture;

import io.onceward.torture.Fault.Kind;
import io.onceward.torture.Fault.Step;
import io.onceward.torture.net.Network;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** Makes faults of the network. What they do, {@link Cluster#heal} undoes. */
final class NetworkFaults {
  private final Cluster cluster;
  private final Victims victims;
  private final Dice dice;

  NetworkFaults(Cluster cluster, Victims victims, Dice dice) {
    this.cluster = cluster;
    this.victims = victims;
    this.dice = dice;
  }

  /**
   * Makes one.
   *
   * @throws IllegalArgumentException if the kind is not of the network
   */
  Fault make(Kind kind) throws InterruptedException, TimeoutException {
    return switch (kind) {
      case ISOLATE_LEADER -> isolated(kind, victims.leader(), victims.others(victims.leader()));
      case ISOLATE_FOLLOWER -> isolatedFromAll(victims.follower());
      case ONE_WAY -> oneWay();
      case BRIDGE -> bridge();
      case CLIENTS_CUT_OFF -> isolated(kind, victims.leader(), List.of(Network.CLIENTS));
      case RESET -> reset();
      case HALF_DEAD -> halfDead();
      case SLOW -> slow();
      case LOSSY -> lossy();
      case REJECT -> reject();
      default -> throw new IllegalArgumentException(kind + " is no fault of the network");
    };
  }

  private Fault isolated(Kind kind, TortureNode node, List<String> from) {
    Network network = cluster.network();
    return new Fault(
        kind,
        node.id() + " and " + String.join(", ", from) + " do not hear each other",
        1,
        () -> {
          for (String other : from) {
            network.drop(node.id(), other);
            network.drop(other, node.id());
          }
        },
        Step.nothing());
  }

  private Fault isolatedFromAll(TortureNode node) {
    List<String> everyone = new ArrayList<>(victims.others(node));
    everyone.add(Network.CLIENTS);
    return isolated(Kind.ISOLATE_FOLLOWER, node, everyone);
  }

  private Fault oneWay() throws InterruptedException, TimeoutException {
    TortureNode node = dice.nextBoolean() ? victims.leader() : victims.any();
    List<String> others = victims.others(node);
    boolean deaf = dice.nextBoolean();
    return new Fault(
        Kind.ONE_WAY,
        deaf ? node.id() + " hears no other node" : node.id() + " is heard by no other node",
        1,
        () -> {
          for (String other : others) {
            cluster.network().drop(deaf ? other : node.id(), deaf ? node.id() : other);
          }
        },
        Step.nothing());
  }

  private Fault bridge() {
    List<TortureNode> all = new ArrayList<>(cluster.members());
    TortureNode middle = all.remove(dice.nextInt(all.size()));
    List<String> left = new ArrayList<>();
    List<String> right = new ArrayList<>();
    all.forEach(node -> (left.size() > right.size() ? right : left).add(node.id()));
    return new Fault(
        Kind.BRIDGE,
        left + " and " + right + " meet only through " + middle.id(),
        1,
        () -> {
          for (String one : left) {
            for (String other : right) {
              cluster.network().drop(one, other);
              cluster.network().drop(other, one);
            }
          }
        },
        Step.nothing());
  }

  /** Two parties, one of them a node; often the leader and its clients. */
  private List<String> pair() throws InterruptedException, TimeoutException {
    TortureNode node = dice.nextBoolean() ? victims.leader() : victims.any();
    List<String> others = new ArrayList<>(victims.others(node));
    others.add(Network.CLIENTS);
    others.add(Network.CLIENTS);
    return List.of(node.id(), others.get(dice.nextInt(others.size())));
  }

  private Fault reset() throws InterruptedException, TimeoutException {
    List<String> pair = pair();
    return new Fault(
        Kind.RESET,
        "connections of " + pair.get(0) + " with " + pair.get(1) + " are reset",
        1,
        () -> cluster.network().cut(pair.get(0), pair.get(1)),
        Step.nothing());
  }

  private Fault halfDead() throws InterruptedException, TimeoutException {
    List<String> pair = pair();
    boolean all = dice.nextBoolean();
    return new Fault(
        Kind.HALF_DEAD,
        (all ? "all connections of " : "one connection of ")
            + String.join(" with ", pair)
            + (all ? " die silently" : " dies silently"),
        1,
        () -> cluster.network().freeze(pair.get(0), pair.get(1), all ? Integer.MAX_VALUE : 1),
        Step.nothing());
  }

  private Fault slow() throws InterruptedException, TimeoutException {
    List<String> pair = pair();
    int millis = dice.between(5, 300);
    boolean both = dice.nextBoolean();
    return new Fault(
        Kind.SLOW,
        pair.get(0) + (both ? " and " : " to ") + pair.get(1) + " slower by " + millis + " ms",
        1,
        () -> {
          cluster.network().slow(pair.get(0), pair.get(1), millis);
          if (both) {
            cluster.network().slow(pair.get(1), pair.get(0), millis);
          }
        },
        Step.nothing());
  }

  private Fault lossy() {
    TortureNode node = victims.any();
    List<String> others = new ArrayList<>(victims.others(node));
    others.add(Network.CLIENTS);
    double part = dice.between(5, 40) / 100.0;
    return new Fault(
        Kind.LOSSY,
        Math.round(part * 100) + " % of the packets to " + node.id() + " are lost",
        1,
        () -> cluster.network().loseSome(node.id(), part, others),
        Step.nothing());
  }

  private Fault reject() throws InterruptedException, TimeoutException {
    TortureNode node = dice.nextBoolean() ? victims.leader() : victims.any();
    List<String> others = victims.others(node);
    String other = others.get(dice.nextInt(others.size()));
    return new Fault(
        Kind.REJECT,
        "what " + node.id() + " sends to " + other + " is answered with a reset",
        1,
        () -> cluster.network().reject(node.id(), other),
        Step.nothing());
  }
}
