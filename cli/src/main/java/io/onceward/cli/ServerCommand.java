package io.onceward.cli;

import io.onceward.Service;
import io.onceward.server.OncewardServer;
import io.onceward.server.ServerSettings;
import io.onceward.wire.NodeStatus;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a node until it is told to end. */
@Command(
    name = "server",
    description = {
      "Run a durable node. Without options it is alone, listens on 127.0.0.1:7400 and keeps its",
      "data in ./onceward-data. It prints one line when it is ready, and ends with Ctrl-C."
    },
    footer = {
      "",
      "Examples:",
      "  onceward server",
      "  onceward server --data /var/lib/onceward --listen 10.0.0.5:7400",
      "  onceward server --node a --member a=10.0.0.5:7400 --member b=10.0.0.6:7400 \\",
      "                  --member c=10.0.0.7:7400",
      "  onceward server --config node.properties",
      "  onceward server --service ledger=io.onceward.examples.ledger.Ledger"
    })
final class ServerCommand implements Callable<Integer> {
  /** Makes a server end with its parent, whatever happens to that. */
  static final String STOP_WITH_INPUT = "--stop-with-input";

  private static final long PATIENCE_MILLIS = 5_000;

  @Mixin private final ServerOptions options = new ServerOptions();
  @Mixin private final Voice voice;

  @Option(
      names = STOP_WITH_INPUT,
      hidden = true,
      description = "Stop when the standard input ends.")
  private boolean stopWithInput;

  ServerCommand(Terminal terminal) {
    this.voice = new Voice(terminal);
  }

  @Override
  public Integer call() throws Exception {
    Logs.set(voice.isVerbose());
    ServerSettings settings;
    Service services;
    try {
      settings = options.settings();
      services = HostedServices.of(options.services);
    } catch (IllegalArgumentException wrong) {
      throw new CommandFailure(
          ExitCode.USAGE, String.valueOf(wrong.getMessage()), new Json(), wrong);
    }
    boolean fresh = !Files.exists(settings.folder());
    OncewardServer server;
    try {
      server = OncewardServer.start(settings, services);
    } catch (IOException | RuntimeException problem) {
      throw StartFailure.of(problem);
    }
    CleanStop stop = CleanStop.of(server);
    if (stopWithInput) {
      stopAtTheEndOf(voice.terminal().in());
    }
    if (settings.join() && fresh) {
      voice.remark(
          "waiting to be added; ask the running cluster: onceward member add "
              + ShellWord.of(MemberText.print(settings.self())));
    }
    awaitReady(server, settings);
    if (!server.failure().isDone()) {
      sayReady(server.status(), settings);
    }
    OncewardServer.Failure failure = server.failure().join();
    stop.cancel();
    stop.close();
    throw new CommandFailure(
        ExitCode.NODE,
        "node " + settings.self().id() + " has stopped: " + failure.what(),
        new Json().text("node", settings.self().id()),
        failure.cause());
  }

  private void awaitReady(OncewardServer server, ServerSettings settings)
      throws InterruptedException, ExecutionException {
    CompletableFuture<?> first = CompletableFuture.anyOf(server.ready(), server.failure());
    try {
      first.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      if (!settings.join()) {
        voice.remark(Majority.around(settings).inWords());
      }
      first.get();
    }
  }

  private void sayReady(NodeStatus status, ServerSettings settings) {
    String address = settings.self().clientAddress();
    // The role's own word comes late: who was just elected still follows, who was added starts.
    String leader = status.leader();
    boolean leads = leader.equals(status.id());
    String role = leads ? "leader" : leader.isEmpty() ? status.role() : "follower";
    String relation = leads || leader.isEmpty() ? role : role + " of " + leader;
    voice.say(
        "onceward "
            + OncewardServer.VERSION
            + " ready on "
            + address
            + " (node "
            + status.id()
            + ", "
            + relation
            + ", data "
            + settings.folder()
            + ")",
        new Json()
            .text("ready", address)
            .text("version", OncewardServer.VERSION)
            .text("node", status.id())
            .text("role", role)
            .text("leader", leader)
            .text("data", settings.folder().toString()));
  }

  private static void stopAtTheEndOf(InputStream in) {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (in.read() >= 0) {
                  // Nothing is meant by what comes in, only by its end.
                }
              } catch (IOException closed) {
                // An end too.
              }
              System.exit(ExitCode.DONE.number());
            },
            "onceward-input");
    thread.setDaemon(true);
    thread.start();
  }
}
