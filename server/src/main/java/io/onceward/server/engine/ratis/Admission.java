package io.onceward.server.engine.ratis;

import io.onceward.server.engine.EngineSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;

/**
 * Whether this node takes part, and in which cluster, if it was started to join one. Raft tells
 * histories apart by index and term alone, and two young clusters have the same ones: a node with a
 * log of its own that was added to another cluster would be taken for up to date. So the leader
 * asks a node in before it adds it, and the node accepts only if it was started to join and holds
 * nothing.
 *
 * <p>Which cluster it accepted is noted in its folder before the leader gets the answer. From then
 * on it belongs to that cluster: another one is refused, and a restart with the same settings goes
 * on. Before, it serves no call of Raft, so that it neither takes an entry nor gives a vote.
 */
final class Admission {
  private static final String NOTE = "joined.properties";
  private static final String CLUSTER = "cluster";

  private final Path folder;
  private final String self;
  private final boolean join;
  private volatile String cluster;

  private Admission(Path folder, String self, boolean join, String cluster) {
    this.folder = folder;
    this.self = self;
    this.join = join;
    this.cluster = cluster;
  }

  /**
   * Looks at the folder before anything in it is touched.
   *
   * @throws PlainException if it is not one that this node can start with
   */
  static Admission of(EngineSettings settings) throws IOException {
    Path folder = settings.folder();
    String cluster = noted(folder.resolve(NOTE));
    boolean empty = holdsNothing(folder.resolve(Peers.GROUP.getUuid().toString()));
    if (settings.join() && cluster.isEmpty() && !empty) {
      throw new PlainException(
          "the folder "
              + folder
              + " holds the log or the vote of a cluster, and no note that this node has joined it."
              + " A node that joins needs an empty folder; a node that is a member already starts"
              + " without joining",
          null);
    }
    if (!settings.join() && !cluster.isEmpty() && empty) {
      throw new PlainException(
          "the folder "
              + folder
              + " belongs to a node that is joining cluster "
              + cluster
              + " and holds nothing yet: start it to join, or with an empty folder",
          null);
    }
    return new Admission(folder, settings.self().id(), settings.join(), cluster);
  }

  /** Whether members may talk to this node about entries and votes. */
  boolean takesPart() {
    return !join || !cluster.isEmpty();
  }

  /** Whether this node has that name, and nobody has asked it in yet. */
  boolean waits(String member) {
    return member.equals(self) && !takesPart();
  }

  /**
   * A leader asks this node in.
   *
   * @param member whom it means
   * @param asking the id of its cluster
   * @return why this node must not be added; empty if it may be
   */
  synchronized String ask(String member, String asking) {
    if (!member.equals(self)) {
      return "the node at this address is " + self;
    }
    if (cluster.equals(asking)) {
      return "";
    }
    if (!cluster.isEmpty()) {
      return "it has joined cluster " + cluster + ". " + REMEDY;
    }
    if (!join) {
      return "it was not started to join, and may have formed a cluster of its own. " + REMEDY;
    }
    try {
      note(asking);
    } catch (IOException problem) {
      return "it cannot write to its folder: " + Failure.reason(problem);
    }
    cluster = asking;
    return "";
  }

  private static final String REMEDY =
      "Stop it, and start it again to join, with an empty folder; what it holds is not carried over";

  private void note(String asking) throws IOException {
    Properties note = new Properties();
    note.setProperty(CLUSTER, asking);
    Path written = folder.resolve(NOTE + ".new");
    try (OutputStream out = Files.newOutputStream(written)) {
      note.store(out, "The cluster that this node has joined. Do not edit.");
    }
    Disk.sync(written);
    Files.move(written, folder.resolve(NOTE), StandardCopyOption.ATOMIC_MOVE);
    Disk.sync(folder);
  }

  private static String noted(Path file) throws IOException {
    if (!Files.exists(file)) {
      return "";
    }
    String cluster = properties(file).getProperty(CLUSTER, "");
    if (cluster.isEmpty()) {
      throw new PlainException(file + " does not say which cluster this node has joined", null);
    }
    return cluster;
  }

  /** Whether there is neither log nor snapshot nor vote. A node that only waited leaves files. */
  private static boolean holdsNothing(Path group) throws IOException {
    for (Path file : Disk.list(group.resolve("current"))) {
      String name = String.valueOf(file.getFileName());
      boolean untouched =
          name.endsWith(".tmp")
              || (name.equals("raft-meta") && properties(file).getProperty("term", "").equals("0"));
      if (!untouched) {
        return false;
      }
    }
    for (Path folder : Disk.list(group)) {
      String name = String.valueOf(folder.getFileName());
      if ((name.equals("sm") || name.startsWith("sm.")) && !Disk.list(folder).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  private static Properties properties(Path file) throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      properties.load(in);
    } catch (IllegalArgumentException damaged) {
      throw new PlainException(file + " is damaged: " + damaged.getMessage(), damaged);
    }
    return properties;
  }
}
