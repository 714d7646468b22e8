package io.onceward.crash;

import io.onceward.crash.bank.BankService;
import io.onceward.server.OncewardServer;
import io.onceward.server.ServerSettings;
import io.onceward.services.ServiceDirectory;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/**
 * A node that hosts the bank beside what ships. Words: folder, port for clients, port for peers. It
 * says {@code ready} and ends with its standard input.
 */
public final class ServerProgram {
  private ServerProgram() {}

  public static void main(String[] words) throws Exception {
    LogManager.getLogManager().reset();
    Logger.getLogger("").setLevel(Level.OFF);
    OncewardServer server =
        OncewardServer.start(
            ServerSettings.alone(
                Path.of(words[0]), Integer.parseInt(words[1]), Integer.parseInt(words[2])),
            ServiceDirectory.shipped().with(BankService.NAME, new BankService()));
    server.ready().get(60, TimeUnit.SECONDS);
    System.out.println("ready");
    while (System.in.read() >= 0) {
      // Until whoever started this is gone.
    }
    Runtime.getRuntime().halt(0);
  }
}
