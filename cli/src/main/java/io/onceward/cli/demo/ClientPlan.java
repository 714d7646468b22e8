package io.onceward.cli.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a client process is told on its command line.
 *
 * @param name of the client, the same for all its processes
 * @param process 1 for its first process, 2 for the one that follows it ...
 * @param folder where its records and its journal are
 * @param perSecond how many errands it runs at most
 * @param depth how many of them at a time
 * @param gates where it reaches the nodes: by the address that a node goes by, the address of its
 *     gate
 */
record ClientPlan(
    String name,
    Kind kind,
    int process,
    Path folder,
    long seed,
    int perSecond,
    int depth,
    Map<String, String> gates) {

  /** How a client names its requests. */
  enum Kind {
    REGISTERED("registered"),
    AUTO("auto"),
    DURABLE("durable");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  ClientPlan {
    gates = new LinkedHashMap<>(gates);
  }

  /** The record of the process with this number. */
  Path record(int number) {
    return folder.resolve(name + "." + number + ".record");
  }

  /** The record of this process. */
  Path record() {
    return record(process);
  }

  Path journal() {
    return folder.resolve(name + ".journal");
  }

  /** The tag of an errand, used by no other. */
  String tag(long errand) {
    return name + "." + process + "." + errand;
  }

  /** The same client, once more. */
  ClientPlan again() {
    return new ClientPlan(name, kind, process + 1, folder, seed, perSecond, depth, gates);
  }

  List<String> words() {
    List<String> words = new ArrayList<>();
    words.addAll(List.of(name, kind.name(), Integer.toString(process), folder.toString()));
    words.addAll(
        List.of(Long.toString(seed), Integer.toString(perSecond), Integer.toString(depth)));
    gates.forEach((node, gate) -> words.add(node + "=" + gate));
    return words;
  }

  static ClientPlan parse(List<String> words) {
    Map<String, String> gates = new LinkedHashMap<>();
    for (String word : words.subList(7, words.size())) {
      int equals = word.indexOf('=');
      gates.put(word.substring(0, equals), word.substring(equals + 1));
    }
    return new ClientPlan(
        words.get(0),
        Kind.valueOf(words.get(1)),
        Integer.parseInt(words.get(2)),
        Path.of(words.get(3)),
        Long.parseLong(words.get(4)),
        Integer.parseInt(words.get(5)),
        Integer.parseInt(words.get(6)),
        gates);
  }
}
