package io.onceward.torture.client;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a process of clients is told on its command line.
 *
 * @param name of the process, the same for all that follow each other under it
 * @param number 1 for the first process of this name, 2 for the one that follows it …
 * @param folder where histories and journals are
 * @param perSecond how many errands it runs at most
 * @param copiesPercent how many requests are sent more than once on purpose
 * @param addresses of the nodes
 */
public record ClientPlan(
    String name,
    Role role,
    int number,
    Path folder,
    long seed,
    int perSecond,
    int copiesPercent,
    List<String> addresses) {

  /** What becomes of the process. */
  public enum Role {
    /** It lives as long as the run: sessions without a journal, and keys. */
    STEADY,
    /** It is killed and comes back: journals, and keys that anyone can settle later. */
    MORTAL
  }

  public ClientPlan {
    addresses = List.copyOf(addresses);
  }

  /** The history that this process writes. */
  public Path history() {
    return folder.resolve(name + "." + number + ".history");
  }

  Path journal(String client) {
    return folder.resolve(client + ".journal");
  }

  /** The process that follows this one. */
  public ClientPlan next() {
    return new ClientPlan(
        name, role, number + 1, folder, seed, perSecond, copiesPercent, addresses);
  }

  /** The words from which {@link #parse} makes it again. */
  public List<String> words() {
    List<String> words =
        new ArrayList<>(
            List.of(
                name,
                role.name(),
                Integer.toString(number),
                folder.toString(),
                Long.toString(seed),
                Integer.toString(perSecond),
                Integer.toString(copiesPercent)));
    words.addAll(addresses);
    return words;
  }

  static ClientPlan parse(List<String> words) {
    return new ClientPlan(
        words.get(0),
        Role.valueOf(words.get(1)),
        Integer.parseInt(words.get(2)),
        Path.of(words.get(3)),
        Long.parseLong(words.get(4)),
        Integer.parseInt(words.get(5)),
        Integer.parseInt(words.get(6)),
        words.subList(7, words.size()));
  }
}
