package io.onceward.crash;

import io.onceward.Key;
import io.onceward.crash.bank.OutsideBank;
import io.onceward.crash.child.ChildProgram;
import io.onceward.crash.child.ChildSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/**
 * What a child does, in this process and without a kill. The launcher runs it after a build, so
 * that Java can archive the classes that are loaded: most of a child's life is its start.
 */
public final class Rehearsal {
  private static final long MOST_SECONDS = 120;

  private Rehearsal() {}

  public static void main(String[] arguments) throws Exception {
    LogManager.getLogManager().reset();
    Logger.getLogger("").setLevel(Level.OFF);
    // Whoever waits for the build shall not wait for ever; without an archive everything works too.
    CompletableFuture.delayedExecutor(MOST_SECONDS, TimeUnit.SECONDS)
        .execute(() -> Runtime.getRuntime().halt(1));
    try (Surroundings surroundings = new Surroundings();
        OutsideBank bank = surroundings.outsideBank(true)) {
      int clusterPort = surroundings.freshCluster();
      String database = String.valueOf(surroundings.freshBank(1).getDatabaseName());
      Path folder = surroundings.freshFolder();
      for (Home home : Home.values()) {
        CompletableFuture<Void> child;
        try (ServerSocket callers = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            PipedOutputStream input = new PipedOutputStream()) {
          ChildSettings settings =
              new ChildSettings(
                  home,
                  null,
                  1,
                  callers.getLocalPort(),
                  surroundings.postgres().port(),
                  database,
                  bank.port(),
                  clusterPort,
                  folder);
          PipedInputStream read = new PipedInputStream(input);
          child =
              CompletableFuture.runAsync(
                  () -> {
                    try {
                      ChildProgram.run(settings, read);
                    } catch (Exception e) {
                      throw new IllegalStateException(e);
                    }
                  });
          input.write("begin\n".getBytes(StandardCharsets.UTF_8));
          input.flush();
          call(callers.accept(), home);
        }
        // The end of its input tells it to end.
        child.get(MOST_SECONDS, TimeUnit.SECONDS);
      }
    }
    System.exit(0);
  }

  private static void call(Socket socket, Home home) throws IOException {
    try (socket;
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
      String lane = in.readLine();
      for (int copy = 0; copy < 2; copy++) {
        Key key = Key.text("rehearsal-" + home.text());
        Round round =
            new Round(
                0,
                key,
                new io.onceward.crash.bank.Transfer(
                    key.toString(), Surroundings.source(0), Surroundings.target(0), 1),
                Step.ANSWER_AFTER);
        socket.getOutputStream().write((round.order(null) + "\n").getBytes(StandardCharsets.UTF_8));
        System.out.println(home.text() + " " + lane + " " + in.readLine());
      }
    }
  }
}
