package io.onceward.cli;

import io.onceward.wire.Member;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * How to start a server in a process of its own: with the flags, the Java and, unless another is
 * given, the class path of this process, so that it is the same server that the launcher starts.
 *
 * @param members all members of the cluster, this one included; empty if it joins a running one
 * @param surroundings words in front of the command that put the process into surroundings of its
 *     own and then become it: {@code ip netns exec …}, {@code env …}
 * @param classPath where its classes are
 * @param jvmFlags further flags for Java, after those that every server has
 * @param options further options of {@code onceward server}
 * @param listener hears every line that the process prints, on either stream, as it comes
 */
public record ServerLaunch(
    Path folder,
    Member self,
    List<Member> members,
    List<String> surroundings,
    String classPath,
    List<String> jvmFlags,
    List<String> options,
    Consumer<String> listener) {

  public ServerLaunch {
    members = List.copyOf(members);
    surroundings = List.copyOf(surroundings);
    jvmFlags = List.copyOf(jvmFlags);
    options = List.copyOf(options);
  }

  /** One member of a cluster, with defaults for everything else. */
  public static ServerLaunch of(Path folder, Member self, List<Member> members) {
    String classPath = System.getProperty("java.class.path");
    return new ServerLaunch(
        folder, self, members, List.of(), classPath, List.of(), List.of(), line -> {});
  }

  /** A node that waits, with an empty folder, until a running cluster adds it. */
  public static ServerLaunch joining(Path folder, Member self) {
    return of(folder, self, List.of());
  }

  /** Hosts one more service, a class with a public constructor without parameters. */
  public ServerLaunch service(String name, String className) {
    return options("--service", name + "=" + className);
  }

  /** Adds options of {@code onceward server}. */
  public ServerLaunch options(String... more) {
    return new ServerLaunch(
        folder, self, members, surroundings, classPath, jvmFlags, both(options, more), listener);
  }

  /** Adds flags for Java; a later one overrides an earlier one. */
  public ServerLaunch jvmFlags(String... more) {
    return new ServerLaunch(
        folder, self, members, surroundings, classPath, both(jvmFlags, more), options, listener);
  }

  /** Starts another build of the server. */
  public ServerLaunch classPath(String classPath) {
    return new ServerLaunch(
        folder, self, members, surroundings, classPath, jvmFlags, options, listener);
  }

  /** Lets somebody hear every line that the process prints. */
  public ServerLaunch heardBy(Consumer<String> listener) {
    return new ServerLaunch(
        folder, self, members, surroundings, classPath, jvmFlags, options, listener);
  }

  /** Starts it by way of these words, which must become the process that they start. */
  public ServerLaunch within(List<String> surroundings) {
    return new ServerLaunch(
        folder, self, members, surroundings, classPath, jvmFlags, options, listener);
  }

  private static List<String> both(List<String> some, String... more) {
    List<String> all = new ArrayList<>(some);
    all.addAll(List.of(more));
    return all;
  }

  /** The words behind {@code onceward} that start such a server by hand. */
  public List<String> words() {
    List<String> words = new ArrayList<>(List.of("server", "--node", self.id()));
    words.addAll(List.of("--data", folder.toString()));
    if (members.isEmpty()) {
      words.addAll(List.of("--join", "--listen", MemberText.address(self)));
    }
    for (Member member : members) {
      words.addAll(List.of("--member", MemberText.print(member)));
    }
    words.addAll(options);
    return words;
  }

  /** The whole command, from Java on. */
  List<String> command() {
    List<String> command = new ArrayList<>(surroundings);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JvmFlags.server());
    command.addAll(JvmFlags.quiet());
    command.addAll(JvmFlags.archive());
    command.addAll(jvmFlags);
    command.addAll(List.of("-cp", classPath, Main.class.getName()));
    command.addAll(words());
    command.add(ServerCommand.STOP_WITH_INPUT);
    return command;
  }

  /** Starts the process; it ends with this one at the latest. */
  public ServerProcess start() throws IOException {
    return ServerProcess.start(this);
  }
}
