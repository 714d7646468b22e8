package io.onceward.torture.hostile;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The attacker in a process of its own: it strikes until its input ends, then says in one line what
 * it did and goes, and its connections with it.
 */
public final class AttackerProgram {
  private AttackerProgram() {}

  /**
   * Carries out one attack until its input ends.
   *
   * @param args name of the attack, port for clients, port for peers, size of crowds in percent
   */
  public static void main(String[] args) {
    Attack.Aimed aimed =
        Attack.named(args[0])
            .orElseThrow(() -> new IllegalArgumentException("no attack is named " + args[0]));
    Siege siege =
        aimed.siege(
            Integer.parseInt(args[1]), Integer.parseInt(args[2]), Integer.parseInt(args[3]));
    AtomicBoolean over = new AtomicBoolean();
    Thread input =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {
                  // Only its end counts.
                }
              } catch (IOException closed) {
                // Likewise.
              }
              over.set(true);
            },
            "input");
    input.setDaemon(true);
    input.start();
    System.out.println("striking");
    System.out.println(print(Assailant.attack(aimed, siege, () -> !over.get())));
    System.exit(0);
  }

  static String print(Siege.Account account) {
    StringBuilder line = new StringBuilder();
    line.append(account.connections()).append('\t').append(account.most()).append('\t');
    line.append(account.units()).append('\t').append(account.bytes());
    for (Map.Entry<String, Integer> end : account.ends().entrySet()) {
      line.append('\t').append(end.getValue()).append(' ');
      line.append(end.getKey().replaceAll("\\s+", " "));
    }
    return line.toString();
  }

  static Siege.Account parse(String line) {
    String[] words = line.split("\t", -1);
    Map<String, Integer> ends = new TreeMap<>();
    for (int i = 4; i < words.length; i++) {
      int blank = words[i].indexOf(' ');
      ends.put(words[i].substring(blank + 1), Integer.parseInt(words[i].substring(0, blank)));
    }
    return new Siege.Account(
        Long.parseLong(words[0]),
        Integer.parseInt(words[1]),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        ends);
  }
}
