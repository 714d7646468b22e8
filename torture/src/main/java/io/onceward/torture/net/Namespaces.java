package io.onceward.torture.net;

import io.onceward.torture.Tool;
import io.onceward.wire.Member;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Each node in a network namespace of its own, joined by a bridge. To a node, every other party has
 * one address, at which that party's proxy stands and from which its connections come; so losing
 * packets to and from that address parts the two.
 *
 * <p>Everything is named after this process. What a killed one left behind is removed by the next.
 */
final class Namespaces extends Network {
  private static final String PREFIX = "onceward-";
  private static final int CLIENT_PORT = 7400;
  private static final int FIRST_NODE = 11;
  private static final int FIRST_PROXY = 101;

  private final List<String> names;
  private final String bridge = "ow" + ProcessHandle.current().pid();
  private final String net;

  Namespaces(List<String> names) throws IOException {
    this.names = List.copyOf(names);
    removeLeftovers();
    this.net = freeNet();
    try {
      Tool.run("ip", "link", "add", bridge, "type", "bridge");
      Tool.run("ip", "addr", "add", net + "1/24", "dev", bridge);
      Tool.run("ip", "link", "set", bridge, "up");
      for (int i = 0; i < names.size(); i++) {
        connect(i);
      }
      for (String name : names) {
        guard(name);
      }
    } catch (IOException problem) {
      close();
      throw problem;
    }
  }

  /** Whether this process may make them, and the machine has what it takes. */
  static boolean possible() {
    if (!Tool.exists("ip") || !Tool.exists("iptables") || !Tool.exists("nsenter")) {
      return false;
    }
    String probe = PREFIX + ProcessHandle.current().pid() + "-probe";
    boolean made = Tool.tryTo("ip", "netns", "add", probe);
    boolean filters =
        made
            && Tool.tryTo(
                "ip",
                "netns",
                "exec",
                probe,
                "iptables",
                "-w",
                "-A",
                "INPUT",
                "-p",
                "tcp",
                "-m",
                "statistic",
                "--mode",
                "random",
                "--probability",
                "0.5",
                "-j",
                "DROP");
    if (made) {
      Tool.tryTo("ip", "netns", "del", probe);
    }
    return filters;
  }

  private void connect(int i) throws IOException {
    String space = space(names.get(i));
    String here = bridge + (char) ('a' + i);
    Tool.run("ip", "netns", "add", space);
    Tool.run("ip", "link", "add", here, "type", "veth", "peer", "name", "eth0", "netns", space);
    Tool.run("ip", "link", "set", here, "master", bridge);
    Tool.run("ip", "link", "set", here, "up");
    Tool.run("ip", "-n", space, "addr", "add", net + (FIRST_NODE + i) + "/24", "dev", "eth0");
    Tool.run("ip", "-n", space, "link", "set", "eth0", "up");
    Tool.run("ip", "-n", space, "link", "set", "lo", "up");
    Tool.run("ip", "addr", "add", net + (FIRST_PROXY + i) + "/24", "dev", bridge);
  }

  private static String freeNet() throws IOException {
    String addresses = Tool.run("ip", "-4", "addr");
    for (int i = 0; i < 256; i++) {
      String net = "10.214." + i + ".";
      if (!addresses.contains(net)) {
        return net;
      }
    }
    throw new IOException("all of 10.214.0.0/16 is in use");
  }

  private static void removeLeftovers() throws IOException {
    for (String line : Tool.run("ip", "netns", "list").split("\n", -1)) {
      String name = line.split(" ", 2)[0];
      String[] parts = name.split("-", -1);
      if (name.startsWith(PREFIX)
          && parts.length == 3
          && !Files.exists(Path.of("/proc", parts[1]))) {
        Tool.tryTo("ip", "netns", "del", name);
        Tool.tryTo("ip", "link", "del", "ow" + parts[1]);
      }
    }
  }

  private String space(String node) {
    return PREFIX + ProcessHandle.current().pid() + "-" + node;
  }

  private int index(String node) {
    int index = names.indexOf(node);
    if (index < 0) {
      throw new IllegalArgumentException("no node " + node + " in " + names);
    }
    return index;
  }

  @Override
  public Member member(String node) {
    return new Member(node, net + (FIRST_PROXY + index(node)), CLIENT_PORT, CLIENT_PORT + 1);
  }

  @Override
  public String bindHost(String node) {
    return net + (FIRST_NODE + index(node));
  }

  /**
   * Not by {@code ip netns exec}, which also gives a command its own view of what is mounted: a
   * disk could then not be unmounted as long as any node runs.
   */
  @Override
  public List<String> whereabouts(String node) {
    return List.of("nsenter", "--net=/var/run/netns/" + space(node));
  }

  @Override
  public void runs(String node, long pid) {
    // Its address says who it is.
  }

  @Override
  public boolean losesPackets() {
    return true;
  }

  @Override
  public String description() {
    return "in " + names.size() + " network namespaces on a bridge, through proxies";
  }

  @Override
  String partyOf(Socket socket) {
    String address = socket.getInetAddress().getHostAddress();
    for (String name : names) {
      if (address.equals(bindHost(name))) {
        return name;
      }
    }
    return CLIENTS;
  }

  @Override
  InetAddress appearance(String party) {
    try {
      return InetAddress.getByName(address(party));
    } catch (IOException impossible) {
      throw new IllegalStateException(address(party) + " is no address", impossible);
    }
  }

  private String address(String party) {
    return party.equals(CLIENTS) ? net + "1" : member(party).host();
  }

  private void rule(String node, String... words) throws IOException {
    List<String> command = new ArrayList<>(whereabouts(node));
    command.addAll(List.of("iptables", "-w"));
    command.addAll(List.of(words));
    Tool.run(command.toArray(String[]::new));
  }

  @Override
  public void drop(String source, String target) throws IOException {
    if (!source.equals(CLIENTS)) {
      rule(source, "-A", "OUTPUT", "-d", address(target), "-j", "DROP");
    }
    if (!target.equals(CLIENTS)) {
      rule(target, "-A", "INPUT", "-s", address(source), "-j", "DROP");
    }
  }

  @Override
  public void loseSome(String node, double probability, List<String> others) throws IOException {
    String part = String.format(Locale.ROOT, "%.2f", probability);
    rule(
        node,
        "-A",
        "INPUT",
        "-p",
        "tcp",
        "-m",
        "statistic",
        "--mode",
        "random",
        "--probability",
        part,
        "-j",
        "DROP");
  }

  @Override
  public void reject(String source, String target) throws IOException {
    rule(
        source,
        "-A",
        "OUTPUT",
        "-p",
        "tcp",
        "-d",
        address(target),
        "-j",
        "REJECT",
        "--reject-with",
        "tcp-reset");
  }

  @Override
  public void heal() throws IOException {
    for (String name : names) {
      rule(name, "-F");
    }
    super.heal();
  }

  @Override
  public void close() throws IOException {
    super.close();
    for (String name : names) {
      Tool.tryTo("ip", "netns", "del", space(name));
    }
    Tool.tryTo("ip", "link", "del", bridge);
  }
}
