package io.onceward.cli;

import io.onceward.server.ServerSettings;
import io.onceward.wire.Member;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Several nodes on this machine, for trying things: each is a real server in its own process. */
@Command(
    name = "cluster",
    description = {
      "Run three nodes on this machine, each a process of its own, for trying things: kill one and",
      "see what happens. Ctrl-C ends them all; started again, they go on with their data."
    },
    footer = {
      "",
      "Examples:",
      "  onceward cluster",
      "  onceward cluster --nodes 5 --port 8400 --data /tmp/five",
      "  onceward cluster --service ledger=io.onceward.examples.ledger.Ledger"
    })
final class ClusterCommand implements Callable<Integer> {
  private static final String HOST = "127.0.0.1";
  private static final int MOST_NODES = 9;
  private static final int PORTS_PER_NODE = 10;
  private static final int MOURNING_MILLIS = 300;
  private static final int LAST_BASE_PORT = 65_535 - MOST_NODES * PORTS_PER_NODE;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "How many nodes, from 1 to " + MOST_NODES + ". Default: 3.")
  private int nodes = 3;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Where each node gets a folder. Default: onceward-cluster.")
  private Path data = Path.of("onceward-cluster");

  @Option(
      names = "--port",
      paramLabel = "BASE",
      description =
          "The first node listens on this port, the next ones on BASE+10, BASE+20 ...; peers on the"
              + " port after each. Default: "
              + ServerSettings.CLIENT_PORT
              + ".")
  private int port = ServerSettings.CLIENT_PORT;

  @Option(
      names = "--service",
      paramLabel = "NAME=CLASS",
      description = "Host a service of your own on every node, as in 'onceward server'.")
  private Map<String, String> services = new LinkedHashMap<>();

  @Mixin private final Voice voice;

  ClusterCommand(Terminal terminal) {
    this.voice = new Voice(terminal);
  }

  @Override
  public Integer call() throws IOException {
    if (nodes < 1 || nodes > MOST_NODES) {
      throw new CommandFailure(
          ExitCode.USAGE, "--nodes is from 1 to " + MOST_NODES + ", not " + nodes);
    }
    if (port < 1 || port > LAST_BASE_PORT) {
      throw new CommandFailure(
          ExitCode.USAGE, "--port is from 1 to " + LAST_BASE_PORT + ", not " + port);
    }
    List<ServerProcess> running = new ArrayList<>();
    for (ServerLaunch launch : launches()) {
      running.add(launch.start());
    }
    awaitReady(running);
    running.forEach(this::mournLater);
    List<String> addresses =
        running.stream().map(server -> server.member().clientAddress()).toList();
    voice.say(
        nodes
            + " nodes are ready; reach them with --at "
            + String.join(",", addresses)
            + "; Ctrl-C ends them",
        new Json().texts("cluster", addresses));
    running.forEach(server -> server.ended().join());
    throw new CommandFailure(ExitCode.NODE, "all nodes have ended");
  }

  private List<ServerLaunch> launches() {
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      int clientPort = port + i * PORTS_PER_NODE;
      members.add(new Member("node" + (i + 1), HOST, clientPort, clientPort + 1));
    }
    return members.stream().map(self -> launch(self, members)).toList();
  }

  private ServerLaunch launch(Member self, List<Member> members) {
    ServerLaunch launch = ServerLaunch.of(data.resolve(self.id()), self, members);
    for (Map.Entry<String, String> service : services.entrySet()) {
      launch = launch.service(service.getKey(), service.getValue());
    }
    if (voice.isVerbose()) {
      launch = launch.options("--verbose");
    }
    if (voice.isJson()) {
      return launch.options("--json").heardBy(voice.terminal().out()::println);
    }
    return launch.heardBy(line -> forward(self, line));
  }

  private void forward(Member member, String line) {
    voice.terminal().out().println(member.id() + " | " + line);
  }

  /** If one of them cannot start, none shall run. */
  private static void awaitReady(List<ServerProcess> running) {
    try {
      CompletableFuture.allOf(
              running.stream().map(ServerProcess::ready).toArray(CompletableFuture<?>[]::new))
          .join();
    } catch (CompletionException problem) {
      ServerProcess culprit =
          running.stream().filter(server -> !server.isRunning()).findFirst().orElseThrow();
      int code = culprit.ended().join();
      running.forEach(ServerProcess::stop);
      ExitCode exit = exitOf(code);
      throw new CommandFailure(
          exit,
          culprit.member().id()
              + " did not start, so none runs"
              + (exit == ExitCode.PORT ? "; --port chooses other ports" : ""));
    }
  }

  private static ExitCode exitOf(int code) {
    for (ExitCode exit : ExitCode.values()) {
      if (exit.number() == code && exit != ExitCode.DONE) {
        return exit;
      }
    }
    return ExitCode.NODE;
  }

  /** After a while, because Ctrl-C ends the nodes and then this process, and that is no news. */
  private void mournLater(ServerProcess server) {
    var unused =
        server
            .ended()
            .thenAcceptAsync(
                code ->
                    voice.remark(
                        server.member().id()
                            + " has ended with code "
                            + code
                            + "; to start it again: onceward "
                            + ShellWord.line(server.launch().words())),
                CompletableFuture.delayedExecutor(MOURNING_MILLIS, TimeUnit.MILLISECONDS));
  }
}
