package io.onceward.cli;

import io.onceward.server.FreePorts;
import io.onceward.server.OncewardServer;
import io.onceward.server.ServerSettings;
import io.onceward.services.ServiceDirectory;
import io.onceward.wire.Member;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A short life of a server and of the commands that use it, in one process and without a trace. The
 * launcher runs it after a build, so that Java can archive the classes that are loaded; from that
 * archive everything starts in about half the time.
 */
public final class Rehearsal {
  private static final long MOST_SECONDS = 60;

  private Rehearsal() {}

  public static void main(String[] arguments) throws Exception {
    Logs.silence();
    // Whoever waits for the build shall not wait for ever; without an archive everything works too.
    CompletableFuture.delayedExecutor(MOST_SECONDS, TimeUnit.SECONDS)
        .execute(() -> Runtime.getRuntime().halt(ExitCode.BUG.number()));
    try (ScratchFolder folder = ScratchFolder.create("onceward-rehearsal")) {
      Member self = new Member("node1", "127.0.0.1", FreePorts.one(), FreePorts.one());
      try (OncewardServer server =
          OncewardServer.start(
              ServerSettings.of(folder.path(), self, List.of(self)), ServiceDirectory.shipped())) {
        server.ready().get(MOST_SECONDS, TimeUnit.SECONDS);
        use(self.clientAddress());
      }
    }
    System.exit(ExitCode.DONE.number());
  }

  private static void use(String address) {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    Terminal terminal =
        new Terminal(
            InputStream.nullInputStream(), nowhere, nowhere, Map.of(Connection.VARIABLE, address));
    for (String words :
        List.of(
            "kv put rehearsal 1 --request-id once",
            "kv put rehearsal 1 --request-id once --json",
            "kv get rehearsal",
            "kv get nothing",
            "counter add rehearsal 5",
            "lease acquire rehearsal me",
            "outcome once",
            "status",
            "session ls",
            "snapshot",
            "server --help",
            "no such command")) {
      Main.run(terminal, List.of(words.split(" ")));
    }
  }
}
